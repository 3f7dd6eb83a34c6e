import { block, END_HEADERS, END_STREAM, type Field, frame, headers, TYPE, word } from './frames.ts';

/** The payload of RST_STREAM. */
export const CANCEL = word(8);
const ACKNOWLEDGED = frame(TYPE.settings, 0, Buffer.alloc(0), 1);
/** The fields of a request. */
export const GET: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', 'x'],
];
const POST: readonly Field[] = [[':method', 'POST'], ...GET.slice(1)];

/** Concatenates frames. */
export const times = (count: number, make: (i: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
/** The id of a client's stream. */
export const stream = (i: number): number => i * 2 + 1;
const setting = (id: number, value: number): Buffer => Buffer.concat([word(id).subarray(2), word(value)]);
const opened = headers(1, POST, END_HEADERS);

const PROTOCOL_ERROR = 1;
const INTERNAL_ERROR = 2;
const ENHANCE_YOUR_CALM = 11;

/**
 * A GET of `/` that uses table indices. It is so short that a thousand are read together. Otherwise unread data at the server's close would
 * reset the connection before GOAWAY is read.
 */
const SHORT = Buffer.from([0x82, 0x87, 0x84, 0x01, 0x01, 0x78]);

/** Floods by their content, with the error code of GOAWAY. nghttp2 detects some of them itself, and uses its own codes. */
export const FLOODS: readonly (readonly [what: string, code: number, bytes: () => Uint8Array])[] = [
  [
    'requests before the settings are acknowledged',
    ENHANCE_YOUR_CALM,
    () => times(3000, (i) => headers(stream(i), GET)),
  ],
  [
    'more requests than it may have at once',
    PROTOCOL_ERROR,
    () => Buffer.concat([ACKNOWLEDGED, times(1050, (i) => frame(TYPE.headers, stream(i), SHORT, END_HEADERS))]),
  ],
  [
    'requests that it resets at once',
    INTERNAL_ERROR,
    () => {
      const reset = (i: number) =>
        Buffer.concat([
          frame(TYPE.headers, stream(i), SHORT, END_HEADERS + END_STREAM),
          frame(TYPE.reset, stream(i), CANCEL),
        ]);
      return Buffer.concat([ACKNOWLEDGED, times(1100, reset)]);
    },
  ],
  [
    'requests that the server must reset',
    ENHANCE_YOUR_CALM,
    () => times(3000, (i) => headers(stream(i), [...POST, ['content-length', '5']])),
  ],
  [
    'window updates that the server must answer with a reset',
    PROTOCOL_ERROR,
    () => times(200, (i) => Buffer.concat([headers(stream(i), GET), frame(TYPE.window, stream(i), word(0))])),
  ],
  [
    'continuations of headers',
    INTERNAL_ERROR,
    () =>
      Buffer.concat([frame(TYPE.headers, 1, block(GET), END_STREAM), times(5000, () => frame(TYPE.continuation, 1))]),
  ],
  ['empty settings', INTERNAL_ERROR, () => times(20_000, () => frame(TYPE.settings, 0))],
  [
    'settings that change',
    ENHANCE_YOUR_CALM,
    () =>
      times(1000, () =>
        frame(
          TYPE.settings,
          0,
          times(32, (i) => setting(4, 65_535 + i)),
        ),
      ),
  ],
  ['window updates', ENHANCE_YOUR_CALM, () => times(20_000, () => frame(TYPE.window, 0, word(1)))],
  [
    'window updates of a stream',
    ENHANCE_YOUR_CALM,
    () => Buffer.concat([opened, times(20_000, () => frame(TYPE.window, 1, word(1)))]),
  ],
  ['empty data', ENHANCE_YOUR_CALM, () => Buffer.concat([opened, times(15_000, () => frame(TYPE.data, 1))])],
  [
    'single bytes',
    ENHANCE_YOUR_CALM,
    () => Buffer.concat([opened, times(20_000, () => frame(TYPE.data, 1, Buffer.from(' ')))]),
  ],
  ['priorities', ENHANCE_YOUR_CALM, () => times(15_000, () => frame(TYPE.priority, 1, Buffer.from([0, 0, 0, 0, 1])))],
  ['pings', ENHANCE_YOUR_CALM, () => times(20_000, () => frame(TYPE.ping, 0, Buffer.alloc(8)))],
  [
    'pings after a request',
    ENHANCE_YOUR_CALM,
    () => Buffer.concat([opened, times(20_000, () => frame(TYPE.ping, 0, Buffer.alloc(8)))]),
  ],
  ['unknown frames', ENHANCE_YOUR_CALM, () => times(15_000, () => frame(0x77, 0))],
];
