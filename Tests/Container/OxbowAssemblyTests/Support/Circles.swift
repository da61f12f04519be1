import OxbowContainer

// The classes that Typhoon's second sample names. `@unchecked`: written while a container builds
// them, read after.

final class ClassADependsOnB: Component {
  var dependencyOnB: ClassBDependsOnA?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ClassADependsOnB.self, name: "ClassADependsOnB", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ClassADependsOnB() }],
      properties: [.plain("dependencyOnB", ClassBDependsOnA.self) { $0.dependencyOnB = $1 }])
  }
}

final class ClassBDependsOnA: Component {
  var dependencyOnA: ClassADependsOnB?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ClassBDependsOnA.self, name: "ClassBDependsOnA", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ClassBDependsOnA() }],
      properties: [.plain("dependencyOnA", ClassADependsOnB.self) { $0.dependencyOnA = $1 }])
  }
}

final class ClassCDependsOnDAndE: Component {
  var dependencyOnD: ClassDDependsOnC?
  var dependencyOnE: ClassEDependsOnC?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ClassCDependsOnDAndE.self, name: "ClassCDependsOnDAndE", sendability: .of(),
      product: .of(), initializers: [InitializerDescriptor { ClassCDependsOnDAndE() }],
      properties: [
        .plain("dependencyOnD", ClassDDependsOnC.self) { $0.dependencyOnD = $1 },
        .plain("dependencyOnE", ClassEDependsOnC.self) { $0.dependencyOnE = $1 },
      ])
  }
}

final class ClassDDependsOnC: Component {
  var dependencyOnC: ClassCDependsOnDAndE?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ClassDDependsOnC.self, name: "ClassDDependsOnC", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ClassDDependsOnC() }],
      properties: [.plain("dependencyOnC", ClassCDependsOnDAndE.self) { $0.dependencyOnC = $1 }])
  }
}

final class ClassEDependsOnC: Component {
  var dependencyOnC: ClassCDependsOnDAndE?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ClassEDependsOnC.self, name: "ClassEDependsOnC", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ClassEDependsOnC() }],
      properties: [.plain("dependencyOnC", ClassCDependsOnDAndE.self) { $0.dependencyOnC = $1 }])
  }
}

final class PrototypeInitInjected: Component {
  let dependency: PrototypePropertyInjected

  init(dependency: PrototypePropertyInjected) { self.dependency = dependency }

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      PrototypeInitInjected.self, name: "PrototypeInitInjected", sendability: .of(),
      product: .of(),
      initializers: [
        InitializerDescriptor(.plain("dependency", PrototypePropertyInjected.self)) {
          PrototypeInitInjected(dependency: $0)
        }
      ])
  }
}

final class PrototypePropertyInjected: Component {
  var prototypeInitInjected: PrototypeInitInjected?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      PrototypePropertyInjected.self, name: "PrototypePropertyInjected", sendability: .of(),
      product: .of(), initializers: [InitializerDescriptor { PrototypePropertyInjected() }],
      properties: [
        .plain("prototypeInitInjected", PrototypeInitInjected.self) {
          $0.prototypeInitInjected = $1
        }
      ])
  }
}

final class CROSingletonA: Component, @unchecked Sendable {
  var prototypeA: CROPrototypeA?
  var prototypeB: CROPrototypeB?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      CROSingletonA.self, name: "CROSingletonA", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { CROSingletonA() }],
      properties: [
        .plain("prototypeA", CROPrototypeA.self) { $0.prototypeA = $1 },
        .plain("prototypeB", CROPrototypeB.self) { $0.prototypeB = $1 },
      ])
  }
}

final class CROPrototypeA: Component {
  let prototypeB: CROPrototypeB

  init(cROPrototypeB: CROPrototypeB) { prototypeB = cROPrototypeB }

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      CROPrototypeA.self, name: "CROPrototypeA", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(.plain("cROPrototypeB", CROPrototypeB.self)) {
          CROPrototypeA(cROPrototypeB: $0)
        }
      ])
  }
}

final class CROPrototypeB: Component {
  let singletonA: CROSingletonA?
  let prototypeA: CROPrototypeA?

  init(cROSingletonA: CROSingletonA) {
    singletonA = cROSingletonA
    prototypeA = nil
  }

  init(cROPrototypeA: CROPrototypeA) {
    singletonA = nil
    prototypeA = cROPrototypeA
  }

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      CROPrototypeB.self, name: "CROPrototypeB", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(.plain("cROSingletonA", CROSingletonA.self)) {
          CROPrototypeB(cROSingletonA: $0)
        },
        InitializerDescriptor(.plain("cROPrototypeA", CROPrototypeA.self)) {
          CROPrototypeB(cROPrototypeA: $0)
        },
      ])
  }
}
