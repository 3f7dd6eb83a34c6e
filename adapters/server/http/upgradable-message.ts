import { IncomingMessage } from 'node:http';

/** The protocols to which connections may switch. A request for any other protocol (`h2c`) is handled as if it had no Upgrade header. */
const PROTOCOLS = /^(websocket|spdy\/3\.1)$/i;

/** A request that counts as an upgrade only if this server supports the protocol. CONNECT also counts, because node ends its connection. */
export class UpgradableMessage extends IncomingMessage {
  #asks = false;

  get upgrade(): boolean {
    return this.#asks && (this.method === 'CONNECT' || PROTOCOLS.test(this.headers.upgrade ?? ''));
  }

  set upgrade(asks: boolean | null) {
    if (#asks in this) this.#asks = asks === true; // node's constructor sets it too, before the field exists
  }
}
