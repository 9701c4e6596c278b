/// A value to bind to a statement's parameter.
enum SQLiteValue {
  case text(String)
  case integer(Int64)
}
