import { frame, OPCODE } from '../web-socket/frame.ts';
import type { HandshakeRules } from '../web-socket/handshake.ts';

const BINARY = 'binary.k8s.io';
const BASE64 = 'base64.binary.k8s.io';

/** Upstream's subprotocols for logs. A client that offers none receives binary messages. */
export const LOG_RULES: HandshakeRules = {
  needsOrigin: false,
  choose: (offered) => (offered.length === 0 ? '' : (offered.find((one) => one === BINARY || one === BASE64) ?? 403)),
};

/** Yields a log as messages: binary, or text in base64. The first message is empty and signals that the log is open. */
export async function* logMessages(
  log: AsyncIterable<Uint8Array>,
  protocol: string,
): AsyncGenerator<Uint8Array, void, void> {
  const message = (bytes: Uint8Array): Uint8Array =>
    protocol === BASE64
      ? frame(OPCODE.text, Buffer.from(Buffer.from(bytes).toString('base64')))
      : frame(OPCODE.binary, bytes);
  yield message(new Uint8Array());
  for await (const bytes of log) yield message(bytes);
}
