/** The request target in origin form. A client sends proxies a target with a host, which is ignored here. RFC 9112, 3.2.2. */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '');

/** The path of a request's target, as sent. Works for any target, while `new URL` rejects `//`. */
export function pathOf(target = '/'): string {
  const origin = originForm(target);
  const mark = origin.indexOf('?');
  return mark < 0 ? origin : origin.slice(0, mark);
}
