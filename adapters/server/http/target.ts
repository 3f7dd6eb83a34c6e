/** The target of a request as a client sends it to proxies names a host, which counts for nothing here. RFC 9112, 3.2.2. */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '');

/** The path of a request's target, as sent. Any target has one, where `new URL` refuses `//`. */
export function pathOf(target = '/'): string {
  const origin = originForm(target);
  const mark = origin.indexOf('?');
  return mark < 0 ? origin : origin.slice(0, mark);
}
