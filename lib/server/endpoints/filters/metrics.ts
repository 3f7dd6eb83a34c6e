import { latestOf } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import { measuredStream } from '../metrics/measured-stream.ts';
import { type RequestLabels, requestLabels } from '../metrics/request-labels.ts';
import type { Filter, FilterPorts } from './filter.ts';

/** Counts and times served requests as the client sees them. A stream counts until it ends. */
export const metrics: Filter = (next, ports) => async (context) => {
  const { request, outcome, annotations } = context;
  const begun = ports.clock.monotonic();
  const kind = request.method === 'GET' || request.method === 'HEAD' ? 'readOnly' : 'mutating';
  ports.metrics.inFlight(kind, 1);
  const response = await next(context).finally(() => ports.metrics.inFlight(kind, -1));
  const { info } = latestOf(context);
  const { servedAs, terminated } = outcome;
  if (terminated === true)
    ports.metrics.terminated(requestLabels(request, info, servedAs ?? info.subresource), response.status);
  if (servedAs === undefined) return response;
  const labels = requestLabels(request, info, servedAs);
  if (annotations.has('k8s.io/deprecated')) ports.metrics.deprecated(labels);
  return measured(ports, response, labels, begun);
};

function measured(ports: FilterPorts, response: ApiResponse, labels: RequestLabels, begun: number): ApiResponse {
  const { status, body, ends } = response;
  const finished = (size: number): void =>
    ports.metrics.finished({ labels, code: status, seconds: (ports.clock.monotonic() - begun) / 1000, size });
  if (typeof body === 'string' || body instanceof Uint8Array) {
    finished(body.length);
    return response;
  }
  const open = ends !== true;
  if (open) ports.metrics.longRunning(labels, 1);
  const ended = (size: number): void => {
    if (open) ports.metrics.longRunning(labels, -1);
    finished(size);
  };
  return { ...response, body: measuredStream(body, ended) };
}
