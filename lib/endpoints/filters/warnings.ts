import { quote } from '#lib/machinery/go.ts';
import type { Filter } from './filter.ts';

/** Upstream's limit on all warnings of one answer, in characters; beyond it each is cut, and the rest left out. */
const TOTAL = 4096;
const CUT = 256;

/** Adds the Warning headers (RFC 7234, code 299) that the request earned, the audit id, the flow, and what caches must know. */
export const warnings: Filter = (next) => async (request, state) => {
  const response = await next(request, state);
  response.headers['audit-id'] = state.auditId;
  response.headers['cache-control'] ??= 'no-cache, private';
  if (state.flow !== undefined) {
    response.headers['x-kubernetes-pf-flowschema-uid'] = state.flow.schemaUid;
    response.headers['x-kubernetes-pf-prioritylevel-uid'] = state.flow.levelUid;
  }
  if (state.warnings.size === 0 || !isComplete(response.status)) return response;
  response.headers['warning'] = shown(state.warnings).map((text) => `299 - ${quote(text.replace(/[\r\n]+/g, ' '))}`);
  return response;
};

function shown(all: Iterable<string>): string[] {
  let texts: string[] = [];
  let length = 0;
  let cutting = false;
  for (const text of all) {
    if (cutting && length >= TOTAL) break;
    texts.push(cutting ? cut(text) : text);
    length += (texts.at(-1) as string).length;
    if (cutting || length <= TOTAL) continue;
    cutting = true;
    texts = texts.map(cut);
    length = texts.reduce((sum, one) => sum + one.length, 0);
  }
  return texts;
}

const cut = (text: string): string => text.slice(0, CUT).toWellFormed();

const isComplete = (status: number): boolean => status >= 200;
