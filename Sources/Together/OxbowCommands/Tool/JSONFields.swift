/// What the results of the commands have as JSON: for `docs/oxbowctl.md`, compared with what the
/// commands write by a test.
///
/// A line is a path and its meaning; `[]` goes through a list, `{}` through the values of names. A
/// field without a value is left out. Fields may be added in any version; `format` counts up when
/// one changes its meaning or goes.
enum JSONFields {
  /// The fields of a command's result, by its words.
  static let results: [String: String] = [
    "container check": """
    files: how many files were read
    definitions: how many objects they define
    structureOnly: whether classes were left out
    \(problem("problems[]", "what is wrong"))
    problems[].seen: what was seen
    problems[].expected: what was expected
    problems[].nextStep: what to do
    problems[].requestedBy[]: the objects on the way to it
    notes[].text: something else that is worth knowing
    notes[].location: where
    """,
    "container explain": """
    \(definition("definition", "the object"))
    \(need("neededBy[]", "who needs it"))
    heirs[]: objects that inherit from it
    way[]: the definitions that it inherits from
    """,
    "container graph": """
    format: mermaid or dot
    text: the drawing
    \(definition("definitions[]", "an object"))
    missing[]: names that nobody defines
    """,
    "model check": """
    documents: how many documents were read
    entities: how many entities they have together
    hash: the hash of the merged model
    notes[].location: where something is that is valid and not used
    notes[].message: what it is
    \(problem("problems[]", "what is wrong"))
    problems[].details[].label: the label of more text
    problems[].details[].text: the text
    """,
    "model show": """
    hash: the model's hash
    entities[].name: an entity
    entities[].className: its class
    entities[].parent: its parent entity
    entities[].abstract: whether it has no objects of its own
    entities[].hash: its version hash
    entities[].renamingIdentifier: the name before
    entities[].attributes[].name: an attribute
    entities[].attributes[].type: its type
    entities[].attributes[].optional: whether it may have no value
    entities[].attributes[].transient: whether no store keeps it
    entities[].attributes[].defaultValue: its default
    entities[].attributes[].renamingIdentifier: the name before
    entities[].relationships[].name: a relationship
    entities[].relationships[].destination: the entity that it leads to
    entities[].relationships[].inverse: its inverse
    entities[].relationships[].toMany: whether it leads to several objects
    entities[].relationships[].ordered: whether these have an order
    entities[].relationships[].optional: whether it may lead nowhere
    entities[].relationships[].deleteRule: what a delete does with them
    entities[].relationships[].renamingIdentifier: the name before
    entities[].unique[][]: the attributes of a uniqueness constraint
    entities[].indexes{}[]: the attributes of an index, by its name
    """,
    "model diff": """
    equal: whether the hashes are the same
    hashes[]: the hash before, and after
    \(change("changes[]"))
    """,
    "model export": """
    path: the folder that was written
    entities: how many entities it has
    model: the model's hash
    notes[]: what the tables of another tool have and the model does not say
    """,
    "model generate": """
    classes: how many classes were written
    notes[]: what the classes do not have
    written[]: the paths of the files
    unchanged: how many files had their text already
    text: the source, without --output
    """,
    "migrate status": """
    store: the store's path
    model: the hash of its model
    position: how it is known which steps it has had: nothing, history, model, several (not certain), inferred
    last: the last step that it has had
    places[]: the steps that it may be behind, when that is not certain
    pending[]: the steps that it has not had
    target: the hash of the model given
    leadsToTarget: whether the pending steps lead to it
    drift[]: in what the tables differ from the model
    \(event("history[]"))
    history[].kind: model, sql, code, inferred, or the tool that applied what was imported
    history[].modelAfter: the hash of the model after it
    history[].tool: the program
    history[].host: the computer
    history[].user: the user
    """,
    "migrate plan": plan,
    "migrate apply": """
    store: the store's path
    \(applied("applied[]"))
    …: with --dry-run the fields of migrate plan
    """,
    "migrate undo": """
    store: the store's path
    \(applied("steps[]"))
    """,
    "migrate verify": """
    store: the store's path
    steps[].name: the step's file
    steps[].outcome: proved, irreversible, differs, failed
    steps[].reversible: lossless, lossy, scripted, none: what the plan says
    steps[].details[]: what is not as it should be
    """,
    "migrate new": """
    path: the file that was written
    model: the hash of the model that it leads to
    sum: the file of checksums, when it was made
    changes[]: what changes, in words
    \(change("modelChanges[]"))
    losses[]: what goes, where a store has any
    hints[]: what may be a rename
    lossAllowed: whether the file allows that it goes
    ignored[]: renames that change no hash
    advice: what to do next
    """,
    "migrate lint": """
    findings[].rule: the code, OX101 for example
    findings[].severity: warning or note
    findings[].file: the file
    findings[].line: the line in it
    findings[].message: what was seen
    findings[].advice: what to do
    findings[].safer: statements that are safer, or that find the rows
    """,
    "migrate drift": """
    store: the store's path
    differences[]: in what the tables differ from the model
    """,
    "migrate baseline": """
    store: the store's path
    last: the last step that counts as done; none when the store had a history
    imported.tool: the tool whose history a database had
    imported.migrations[]: what that tool has applied
    imported.tables[].name: a table of the database
    imported.tables[].rows: its rows
    imported.tables[].entity: with --convert, the entity of its objects
    imported.tables[].relationship: the relationship of its links, as Entity.name
    imported.tables[].columns[].name: a column of it
    imported.tables[].columns[].targets[]: what it becomes; none when it goes
    imported.newEntities[]: the entities that no table has objects of
    imported.losses[].kind: values, rows, links, table, index, view, trigger
    imported.losses[].subject: what has no place in the model
    imported.losses[].count: how much of it there is
    converted: whether the tables were written anew
    dryRun: whether that was only planned
    """,
    "migrate repair": """
    store: the store's path
    accepted: whether the texts were accepted
    files[].name: a file that was changed after it was applied
    files[].applied: when it was applied
    files[].checksumApplied: the checksum that it had then
    files[].checksum: the checksum of its text now
    """,
    "migrate squash": """
    path: the new step
    steps: how many steps it stands for
    """,
    "migrate sum": "path: the file that was written",
    "store info": """
    path: the store's path
    identifier: what names the store, wherever its file is
    layout: the layout of the tables
    layoutVersion: its version
    model: the hash of the model
    keepsModel: whether the store has the model itself
    entities[].name: an entity
    entities[].number: its number in the store
    entities[].hash: its version hash
    entities[].rows: its objects
    tables[].name: a table
    tables[].rows: its rows
    journalMode: wal or delete
    bytes: the size of the file
    logBytes: the size of the write-ahead log
    files.count: large values in files beside the store, if there are any
    files.bytes: their size
    schemaVersion: SQLite's count of changes of tables
    sqlite.version: the version of SQLite
    sqlite.sourceID: its source
    sqlite.hasWALResetBug: whether it has the WAL-reset bug
    sqlite.verdict: all this in words
    openIn[]: processes that have the store open
    \(event("history[]"))
    """,
    "store doctor": """
    store: the store's path
    openIn[]: processes that have it open
    findings[].message: what is wrong
    findings[].advice: how to go on
    notes[]: what else is worth knowing
    """,
    "store check": """
    store: the store's path
    findings[]: the damage that was found
    """,
    "store backup": """
    store: the store's path
    copy: the copy's path
    """,
    "store restore": """
    store: the store's path
    copy: the backup's path
    kept: where what was there is now
    """,
    "store compact": """
    store: the store's path
    bytesBefore: the size of the file before
    bytesAfter: its size now
    """,
  ]

  /// The fields of an error, which every command has in place of a result.
  static let failure = """
    code: the kind of error, as PersistenceError.Code or ContainerError.Code names it; usage
    message: what failed, what was seen, what to do
    location: where in a file
    nearNames[]: names that a typo may have meant
    details[].label: the label of more text
    details[].text: the text
    problems[]: errors of the same form, when there are several
    """

  private static let plan = """
    store: the store's path
    state.identifier: what names the store; no state when there is none yet
    state.model: the hash of its model
    state.events: how many events its history has
    upTo: the number given with --up-to
    countsRows: whether rows were counted
    space.bytes: the size of the store's file
    space.logBytes: the size of its write-ahead log
    space.freeBytes: what its disk has free
    space.neededBytes: about how much the steps need at most at one moment
    steps[].id: the number of the step, "-" when it is inferred
    steps[].name: its name
    steps[].kind: model, sql, code, inferred
    steps[].path: its file
    steps[].checksum: the checksum of the file's text
    steps[].modelBefore: the hash of the model before
    steps[].modelAfter: the hash of the model after
    steps[].changes[]: what changes, in words
    \(change("steps[].modelChanges[]"))
    steps[].operations[].kind: create, rename, alter, rebuild, drop, index, fill, delete
    steps[].operations[].table: the table
    steps[].operations[].rows: the rows that are read or written
    steps[].operations[].bytes: about how many bytes are written anew
    steps[].operations[].statements[]: the statements
    steps[].script: the text of a script
    steps[].run: the command that runs the step, when this program cannot
    steps[].rows: the rows of all operations
    steps[].bytes: about how many bytes the step writes anew
    steps[].destructive: whether something goes
    steps[].losses[].subject: what goes
    steps[].losses[].count: how much of it
    steps[].lossAllowed: whether the step's file allows it
    steps[].replacesValues: whether values are put in place of missing ones
    steps[].reversible: lossless, lossy, scripted, none
    steps[].refusesUndo[]: the objects with which it cannot be taken back
    steps[].checks[]: rows that the step would be refused for
    """

  private static func problem(_ path: String, _ meaning: String) -> String {
    """
    \(path).code: the kind of error
    \(path).message: \(meaning)
    \(path).location: where
    \(path).nearNames[]: names that a typo may have meant
    """
  }

  private static func need(_ path: String, _ meaning: String) -> String {
    """
    \(path).object: \(meaning)
    \(path).role: what for
    \(path).how: how it is given
    \(path).location: where
    \(path).defined: whether it is defined
    """
  }

  private static func definition(_ path: String, _ meaning: String) -> String {
    """
    \(path).name: \(meaning)
    \(path).className: its class
    \(path).type: its type
    \(path).scope: its scope
    \(path).scopeMeaning: the scope in words
    \(path).sharing: who shares it
    \(path).lazy: whether it is made when it is needed
    \(path).eager: whether it is made at once
    \(path).primary: whether it is the one to take of several
    \(path).aliases[]: its other names
    \(path).abstract: whether it is for others to inherit from
    \(path).proxy: whether it is reached through a proxy
    \(path).parent: the definition that it inherits from
    \(path).summary: what it is, in words
    \(path).location: where it is defined
    \(need("\(path).needs[]", "what it needs"))
    \(path).placesByType[]: what is filled by type
    """
  }

  private static func change(_ path: String) -> String {
    """
    \(path).kind: added, removed, renamed, changed
    \(path).subject: entity, attribute, relationship …
    \(path).entity: the entity
    \(path).property: the property
    \(path).aspect: what of it changes
    \(path).before: what it was
    \(path).after: what it is
    \(path).stored: whether stores change with it
    \(path).description: all this in words
    """
  }

  private static func event(_ path: String) -> String {
    """
    \(path).id: the number of the step
    \(path).name: its name
    \(path).event: applied, undone, baselined, imported, repaired, progressed
    \(path).finished: when
    """
  }

  private static func applied(_ path: String) -> String {
    let path = path.isEmpty ? "" : path + "."
    return """
      \(path)id: the number of the step
      \(path)name: its name
      \(path)kind: model, sql, code, inferred
      \(path)modelBefore: the hash of the model before
      \(path)modelAfter: the hash of the model after
      \(path)seconds: how long it took
      """
  }
}
