/** A query as Go's `url.ParseQuery` reads it: a pair with a broken encoding or a semicolon is left out. */
export function parseQuery(text: string): URLSearchParams {
  if (!/[;%]/.test(text)) return new URLSearchParams(text);
  const pairs = text.split('&').filter((pair) => !/;|%(?![0-9a-f]{2})/i.test(pair));
  return new URLSearchParams(pairs.join('&'));
}
