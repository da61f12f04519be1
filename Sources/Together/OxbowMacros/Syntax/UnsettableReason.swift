/// Why code beside a class cannot set one of its properties.
enum UnsettableReason {
  case constant, hidden, isStatic, noSetter, isolated, unseenType, several
}
