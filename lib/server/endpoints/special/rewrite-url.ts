import type { Url } from '#lib/api/cel/library/url.ts';
import { forwardedUri } from './clean-path.ts';

/** The location of a proxied document, and the names that its links use for its origin. */
export interface ProxiedPage {
  /** The path at this server before the backend's own path. */
  readonly prefix: string;
  /** Host and port of the backend. */
  readonly backend: string;
  /** Host and port that the client requested. A backend that reads the Host header uses this name for itself. */
  readonly asked: string;
}

/**
 * Returns the link that the client must follow, like upstream's proxy.Transport. Links to other hosts and relative links stay unchanged.
 */
export function rewriteUrl(link: Url, { prefix, backend, asked }: ProxiedPage): string {
  const { host, path } = link;
  const isElsewhere = host !== '' && host !== backend && host !== asked;
  if (isElsewhere || !path.startsWith('/')) return String(link);
  const here = host === asked ? link : link.at({ scheme: '', host: '' });
  if (path.startsWith(prefix)) return String(here);
  return String(here.at({ path: forwardedUri(`${prefix}/${path}`) }));
}
