import type { WatchSlot, WatchSlots } from '#lib/flowcontrol/watch-slots.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '../api.ts';

/** Limits of watches at a front door. An absent one does not limit. */
export interface WatchBounds {
  /** No watch lasts longer; it ends as if its client had asked for no more. */
  readonly maxSeconds?: number;
  /** A hop on the way cuts streams that are silent for longer: one ends cleanly before. */
  readonly idleSeconds?: number;
  /** How many there may be at once. */
  readonly slots?: WatchSlots;
}

/** Of a hop's limit, what a stream may be silent. */
const SHARE = 0.8;
/** Seconds, where nothing else bounds a slot, and those that a watch may take to end. */
const LONGEST = 3600;
const GRACE = 15;
const RETRY_AFTER = 5;

/** An answer that is a stream. */
export type StreamingResponse = ApiResponse & { readonly body: AsyncIterable<Uint8Array> };

type Open = () => Promise<StreamingResponse>;

/** Opens a watch within its bounds. Throws StatusError: 429 where too many are open. */
export async function boundedWatch(bounds: WatchBounds, clock: Clock, open: Open): Promise<StreamingResponse> {
  const slot = await slotOf(bounds);
  try {
    return lasting(await open(), bounds, clock, slot);
  } catch (error) {
    await slot?.release();
    throw error;
  }
}

async function slotOf({ slots, maxSeconds = LONGEST }: WatchBounds): Promise<WatchSlot | undefined> {
  if (slots === undefined) return undefined;
  const slot = await slots.take((maxSeconds + GRACE) * 1000);
  if (slot === undefined) throw tooManyRequests('too many watches are open, please try again later', RETRY_AFTER);
  return slot;
}

function lasting(
  response: StreamingResponse,
  { idleSeconds }: WatchBounds,
  clock: Clock,
  slot: WatchSlot | undefined,
): StreamingResponse {
  const { body } = response;
  const spoken = idleSeconds === undefined ? body : untilSilent(body, clock, idleSeconds * SHARE * 1000);
  return { ...response, body: slot === undefined ? spoken : holding(spoken, slot) };
}

/** Ends when nothing came for so many milliseconds. */
async function* untilSilent(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const spoken = new AbortController();
      const silence = clock.sleep(milliseconds, spoken.signal).then(() => undefined);
      const next = await Promise.race([chunks.next(), silence]);
      spoken.abort();
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

async function* holding(body: AsyncIterable<Uint8Array>, slot: WatchSlot): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await slot.release();
  }
}
