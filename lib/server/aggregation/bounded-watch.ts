import type { Handler } from '#lib/server/endpoints/filters/filter.ts';

const TIMEOUT = 'timeoutSeconds';

/** Limits the duration of a watch in seconds. Passes the limit to its server, which then ends the stream cleanly. */
export const boundedWatch =
  (handle: Handler, maxSeconds: number): Handler =>
  (context) => {
    const { request, info } = context;
    if (info.verb !== 'watch') return handle(context);
    const asked = Number(request.query.get(TIMEOUT));
    if (asked > 0 && asked <= maxSeconds) return handle(context);
    const query = new URLSearchParams(request.query);
    query.set(TIMEOUT, String(maxSeconds));
    return handle({ ...context, request: { ...request, query } });
  };
