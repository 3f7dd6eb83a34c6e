/** Indents JSON text by two spaces or another unit, like Go's json.Indent. Leaves the values as written. */
export function indentJson(compact: string, unit = '  '): string {
  let text = '';
  let depth = 0;
  const line = (level: number): string => `\n${unit.repeat(level)}`;
  for (const [token] of compact.matchAll(TOKEN)) {
    if (token === '{' || token === '[') text += token + line(++depth);
    else if (token === '}' || token === ']') text += line(--depth) + token;
    else if (token === ',') text += token + line(depth);
    else text += token === ':' ? ': ' : token;
  }
  return text;
}

/** An empty object or list, a string, a punctuation character, or anything else without punctuation. */
const TOKEN = /\{\}|\[\]|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^{}[\],:"]+/g;
