import type { Url } from '#lib/api/cel/library/url.ts';
import { forwardedUri } from './clean-path.ts';

/** Where a proxied document is seen, and what its links call the place that it is from. */
export interface ProxiedPage {
  /** The path at this server that stands before the backend's own. */
  readonly prefix: string;
  /** Host and port of the backend. */
  readonly backend: string;
  /** Host and port that the client asked: a backend that looks at the Host header names itself so. */
  readonly asked: string;
}

/** The link as the client has to follow it: upstream's proxy.Transport. Links to other hosts, and relative ones, stay. */
export function rewriteUrl(link: Url, { prefix, backend, asked }: ProxiedPage): string {
  const { host, path } = link;
  const isElsewhere = host !== '' && host !== backend && host !== asked;
  if (isElsewhere || !path.startsWith('/')) return String(link);
  const here = host === asked ? link : link.at({ scheme: '', host: '' });
  if (path.startsWith(prefix)) return String(here);
  return String(here.at({ path: forwardedUri(`${prefix}/${path}`) }));
}
