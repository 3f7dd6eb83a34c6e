const LOWEST = 0xdc80;
const HIGHEST = 0xdcff;
const ASCII = 0x80;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Converts bytes to text from which `bytesOfText` restores the same bytes. Each invalid UTF-8 byte becomes a lone surrogate. */
export function textOfBytes(bytes: Uint8Array): string {
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0;
    const length = lead < ASCII ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const rune = decoded(bytes.subarray(i, i + length));
    text += rune ?? String.fromCharCode(0xdc00 + lead);
    i += rune === undefined ? 1 : length;
  }
  return text;
}

/** The bytes of a text from `textOfBytes`, or the UTF-8 of any other text. */
export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const runes = [...text].map((rune) => {
    const code = rune.codePointAt(0) ?? 0;
    return code >= LOWEST && code <= HIGHEST ? Buffer.of(code - 0xdc00) : Buffer.from(rune);
  });
  return Buffer.concat(runes);
}
