/** Parses a query like Go's `url.ParseQuery`: omits pairs with a broken encoding or a semicolon. */
export function parseQuery(text: string): URLSearchParams {
  if (!/[;%]/.test(text)) return new URLSearchParams(text);
  const pairs = text.split('&').filter((pair) => !/;|%(?![0-9a-f]{2})/i.test(pair));
  return new URLSearchParams(pairs.join('&'));
}
