/** Parses an int64 from decimal digits with an optional sign; undefined if invalid. Source: Go's strconv.ParseInt. */
export function parseInt64(text: string): bigint | undefined {
  if (text.length > 64 || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
