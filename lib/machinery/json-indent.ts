/** JSON text indented by two spaces or another unit, as Go's json.Indent does: the values stay as they are written. */
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

/** An empty object or list, a string, a sign, or anything else without one. */
const TOKEN = /\{\}|\[\]|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^{}[\],:"]+/g;
