internal import OxbowContainer

/// The words with which an XML dialect defines an object.
struct Vocabulary {
  // MARK: - Definitions

  /// The element of a definition in place of a value.
  var object = ""
  /// The attributes of every definition, `class` and `parent` among them.
  var attributes: [String] = []
  var factory = ""
  var before = ""
  var after = ""
  /// The elements in a definition, as messages list them.
  var parts = ["property"]

  // MARK: - Calls

  var method = ""
  var isStatic = ""
  var staticTexts = BooleanTexts.plain
  /// What `isStatic` says where the name of the method shall tell.
  var guess: String?
  /// The attribute with the label of an argument.
  var label = ""
  /// The elements in a call.
  var callParts = ["argument"]
  /// Whether a call has all its arguments itself, and is not a static one of a factory: a rule of
  /// the original.
  var checksCalls = false

  // MARK: - Contents

  var text = "value"
  var number: String?
  var byType: String?
  /// The attribute with the class of a text.
  var textType: String?
  var propertyAttributes = ["name"]
  /// The attributes of an argument besides its label, and of an entry besides its key.
  var contentAttributes: [String] = []
  /// Whether a property with nothing but a name is the one object of its type.
  var emptyIsByType = false
  /// The elements that can be a content.
  var contents: [String] = []
  /// Whether a content may be described.
  var describesContents = false

  /// How texts are read where a truth value is wanted.
  var booleans = BooleanRule.plain

  // MARK: - Collections

  var list = ""
  /// The elements in a list.
  var elements: [String] = []
  /// The attribute with the class of a list, which an argument has to say.
  var listType: String?
  /// The attribute with the class of a `<value>`.
  var valueType = ""
  /// Whether a `<value>` has to say its class.
  var requiresValueType = false
}

extension Vocabulary {
  /// The attributes that are contents.
  var sources: [String] { ["ref", text] + [number, byType].compactMap(\.self) }

  /// The attributes by which a content is not a plain one.
  var uncommon: [String] { [number, byType, textType].compactMap(\.self) }
}
