import Oxbow

/// The classes of the catalog's model.
enum CatalogModel {
  static var classes: EntityClasses {
    EntityClasses(Volume.self, Folder.self, File.self, Kind.self, Label.self)
  }
}
