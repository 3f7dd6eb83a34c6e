import { runeCount } from '#lib/api/schema/kinds.ts';
import { REALM_HEADER } from '#lib/server/authentication/node-assertion/claims.ts';
import { ANONYMOUS, type User } from '#lib/server/authentication/user.ts';
import { latestOf } from '#lib/server/request/request-context.ts';
import type { Filter } from './filter.ts';

/** Upstream's limit in characters on all warnings of one response. Above it, each warning is cut and the remaining ones are dropped. */
const TOTAL = 4096;
const CUT = 256;

/**
 * Adds the request's Warning headers (RFC 7234, code 299), the audit id, the flow, and cache control. Adds the realm of nodes to a
 * rejection of an unauthenticated client. A response that switches protocols gets none.
 */
export const warnings: Filter =
  (next, { nodeRealm }) =>
  async (context) => {
    const response = await next(context);
    if (response.upgrade !== undefined) return response; // upstream's handler writes the whole response to a switch itself
    const { auditId, flow, user } = latestOf(context);
    response.headers['audit-id'] = auditId;
    response.headers['cache-control'] ??= 'no-cache, private';
    if (
      nodeRealm !== undefined &&
      context.request.connection?.clientCertificate === undefined &&
      isUnknown(response.status, user)
    )
      response.headers[REALM_HEADER] = nodeRealm;
    if (flow !== undefined) {
      response.headers['x-kubernetes-pf-flowschema-uid'] = flow.schemaUid;
      response.headers['x-kubernetes-pf-prioritylevel-uid'] = flow.levelUid;
    }
    if (context.warnings.size === 0 || !isComplete(response.status)) return response;
    response.headers['warning'] = shown(context.warnings).map((text) => `299 - ${quotedString(text)}`);
    return response;
  };

/** An unauthenticated node may sign its request. It gets 401 for a wrong credential, and 403 for none. */
const isUnknown = (status: number, user: User): boolean => user === ANONYMOUS && (status === 401 || status === 403);

/** Formats warnings like upstream's recorder. Drops a text that no header can contain, as upstream's NewWarningHeader rejects it. */
function shown(all: Iterable<string>): string[] {
  const recorded: string[] = [];
  let texts: string[] = [];
  let length = 0;
  let cutting = false;
  for (const given of all) {
    if (cutting && length >= TOTAL) break;
    if (given === '') continue;
    recorded.push(given);
    const text = cutting ? cut(given) : given;
    if (!isPrintable(text)) continue;
    texts.push(text);
    length += runeCount(text);
    if (cutting || length <= TOTAL) continue;
    cutting = true;
    texts = recorded.map(cut).filter(isPrintable);
    length = texts.reduce((sum, one) => sum + runeCount(one), 0);
  }
  return texts;
}

/** Whether the text has no control characters. */
const isPrintable = (text: string): boolean => !/\p{Cc}/u.test(text);

const cut = (text: string): string =>
  text.length > CUT
    ? Array.from(text.slice(0, 2 * CUT))
        .slice(0, CUT)
        .join('')
    : text;

/** Returns a quoted-string for a header. Escapes only quotes and backslashes. */
const quotedString = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').toWellFormed()}"`;

const isComplete = (status: number): boolean => status >= 200;
