import { describe, expect, test } from 'vitest';
import { SynStreams, spdyFrame } from '#test/support/kubelet/spdy-frames.ts';
import { SessionFrames } from './session-frames.ts';
import { spdyProtocol } from './session-protocol.ts';

const FIN = 1;
const RST_STREAM = 3;
const REASON = 'the runtime broke off';

/** A session that has received the client's bytes in parts of this size. */
function afterClient(bytes: Uint8Array, { version = 'v4.channel.k8s.io', size = 1e6 } = {}): SessionFrames {
  const session = new SessionFrames(spdyProtocol(version));
  for (let at = 0; at < bytes.length; at += size) session.fromClient(bytes.subarray(at, at + size));
  return session;
}

/** The streams of an exec in the order of client-go, followed by input. */
function exec(): Buffer {
  const syn = new SynStreams();
  const opened = ['error', 'stdin', 'stdout'].map((streamtype, i) => syn.next(2 * i + 1, { streamtype }));
  return Buffer.concat([...opened, spdyFrame(Buffer.from('input'), { stream: 3 })]);
}

/** The stream and text of each data frame. Each frame must end its stream. */
function reports(bytes: Uint8Array): [stream: number, text: string][] {
  const all = Buffer.from(bytes);
  const found: [number, string][] = [];
  for (let at = 0; at < all.length; ) {
    const length = all.readUIntBE(at + 5, 3);
    expect(all[at + 4]).toBe(FIN);
    found.push([all.readUInt32BE(at), all.toString('utf8', at + 8, at + 8 + length)]);
    at += 8 + length;
  }
  return found;
}

describe('a SPDY session that the runtime breaks off', () => {
  test.each([1, 7, 1e6])('reports a Status on the error stream (frames in parts of %i bytes)', (size) => {
    const [report, ...others] = reports(afterClient(exec(), { size }).broken(REASON));
    expect(others).toEqual([]);
    expect(report?.[0]).toBe(1);
    const status = {
      status: 'Failure',
      reason: 'InternalError',
      message: `Internal error occurred: ${REASON}`,
      code: 500,
    };
    expect(JSON.parse(report?.[1] ?? '')).toMatchObject(status);
  });

  test('reports text on each open error stream of a port-forward', () => {
    const syn = new SynStreams();
    const opened = ['error', 'data', 'error', 'data', 'error'].map((streamtype, i) =>
      syn.next(2 * i + 1, { streamtype, port: '80', requestid: `${i}` }),
    );
    const session = afterClient(Buffer.concat(opened), { version: 'portforward.k8s.io' });
    session.fromRuntime(spdyFrame(Buffer.alloc(0), { stream: 5 }, FIN));
    expect(reports(session.broken(REASON))).toEqual([
      [1, REASON],
      [9, REASON],
    ]);
  });

  test.each([
    ['the runtime', (session: SessionFrames, reset: Buffer) => session.fromRuntime(reset)],
    ['the client', (session: SessionFrames, reset: Buffer) => session.fromClient(reset)],
  ])('reports nothing on a stream that %s has reset', (_, send) => {
    const session = afterClient(exec());
    send(session, spdyFrame(Buffer.from([0, 0, 0, 1, 0, 0, 0, 5]), { type: RST_STREAM }));
    expect(session.broken(REASON)).toHaveLength(0);
  });

  test.each<[string, Buffer]>([
    ['that is not compressed', spdyFrame(Buffer.alloc(40, 7), { type: 1 })],
    ['that is too short', spdyFrame(Buffer.alloc(3), { type: 1 })],
    ['that is too long', spdyFrame(Buffer.alloc(70_000), { type: 1 })],
    ['that unpacks to megabytes', new SynStreams().next(1, { streamtype: 'x'.repeat(1e6) })],
    ['whose headers end early', new SynStreams().next(1, { '': '' }).subarray(0, 20)],
  ])('forwards a SYN_STREAM %s', (_, syn) => {
    const session = new SessionFrames(spdyProtocol('v4.channel.k8s.io'));
    expect(Buffer.from(session.fromClient(syn))).toEqual(syn);
    expect(session.broken(REASON)).toHaveLength(0);
  });

  test('reads the headers of a thousand streams', () => {
    const syn = new SynStreams();
    const opened = Array.from({ length: 1000 }, (__, i) =>
      syn.next(2 * i + 1, { streamtype: i % 2 === 0 ? 'error' : 'data', requestid: `${i}` }),
    );
    const session = afterClient(Buffer.concat(opened), { version: 'portforward.k8s.io' });
    expect(reports(session.broken(REASON))).toHaveLength(500);
  });
});
