/** The int64 that a text of decimal digits says, with a sign or without; undefined where it says none. Source: Go's strconv.ParseInt. */
export function parseInt64(text: string): bigint | undefined {
  if (text.length > 64 || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
