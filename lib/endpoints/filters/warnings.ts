import { quote } from '#lib/machinery/go.ts';
import type { Filter } from './filter.ts';

/** Upstream's limit on all warnings of one answer, in bytes; beyond it they are cut. */
const TOTAL = 256 * 1024;
const CUT = 256;

/** Adds the Warning headers (RFC 7234, code 299) that the request earned, the audit id, and what caches must know. */
export const warnings: Filter = (next) => async (request, state) => {
  const response = await next(request, state);
  response.headers['audit-id'] = state.auditId;
  response.headers['cache-control'] ??= 'no-cache, private';
  if (state.warnings.size === 0 || !isComplete(response.status)) return response;
  const texts = [...state.warnings];
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const shown = total > TOTAL ? texts.map((text) => text.slice(0, CUT)) : texts;
  response.headers['warning'] = shown.map((text) => `299 - ${quote(text.replace(/[\r\n]+/g, ' '))}`);
  return response;
};

const isComplete = (status: number): boolean => status >= 200;
