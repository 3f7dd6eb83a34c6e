import { StatusError } from '#lib/machinery/errors.ts';
import { versionProblem } from '#lib/server/registry/store/read-at.ts';
import { select } from '#lib/server/registry/store/selection.ts';
import type { ApiResponse } from '../api.ts';
import { negotiate, onlyAccepted } from '../negotiate.ts';
import { type ListOptions, listOptions } from '../options.ts';
import { offerOf } from '../respond.ts';
import type { Scope } from '../scope.ts';
import { watchEncoder } from '../serialize/watch-event.ts';
import type { WebSocketSession } from '../web-socket/session.ts';
import { boundedWatch, type StreamingResponse } from './watch-bounds.ts';
import { Frames, type Start } from './watch-frames.ts';
import { asMessages, overWebSocket } from './watch-web-socket.ts';

/** The media types of a watch. */
export const STREAMS = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** GET of a collection with `watch`: a stream of events, as one JSON text per line or one protobuf frame each, or as WebSocket messages. */
export async function watchHandler(scope: Scope): Promise<ApiResponse> {
  return overWebSocket(scope.context.request, (socket) => boundedWatch(scope, async () => watch(scope, socket)));
}

function watch(scope: Scope, socket: WebSocketSession | undefined): StreamingResponse {
  const { context, definition, cluster } = scope;
  const options = listOptions(context.request.query);
  const offer = offerOf(definition);
  const want = negotiate(context.request, offer);
  if (want.mediaType === 'application/yaml') throw onlyAccepted(STREAMS);
  const { namespace, name } = context.info;
  const selection = select(definition, { ...options, cluster, namespace, name });
  const start = startOf(options);
  const plain = watchEncoder(scope, want);
  const encoder = socket === undefined ? plain : asMessages(plain);
  const signal = socket?.signal ?? context.request.signal();
  const sent = scope.watchMetrics.sender(context.info);
  const frames = new Frames({ scope, options, selection, start, encoder, signal, sent });
  const body = want.as?.kind === 'PartialObjectMetadataList' ? endedByFirst(frames) : frames;
  return { status: 200, headers: { 'content-type': encoder.contentType }, body };
}

/** An event is not a list, so upstream ends a watch of lists at the first event. */
async function* endedByFirst(frames: Frames): AsyncGenerator<Uint8Array, void> {
  for await (const frame of frames) return void frame;
  yield* [];
}

/** Upstream returns a bare 500 for a bad version here. */
function startOf({ resourceVersion, sendInitialEvents }: ListOptions): Start {
  const problem = resourceVersion === '' ? undefined : versionProblem(resourceVersion);
  if (problem !== undefined) throw new StatusError(undefined, problem);
  const unset = resourceVersion === '' || resourceVersion === '0';
  return { initial: sendInitialEvents ?? unset, after: unset ? undefined : Number(resourceVersion) };
}
