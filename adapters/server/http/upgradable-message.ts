import { IncomingMessage } from 'node:http';

/** Protocols that connections may switch to. A request for any other (`h2c`) is answered as if it had no Upgrade header. */
const PROTOCOLS = /^(websocket|spdy\/3\.1)$/i;

/** A request that counts as an upgrade only if this server knows the protocol. CONNECT counts too: node ends its connection. */
export class UpgradableMessage extends IncomingMessage {
  #asks = false;

  get upgrade(): boolean {
    return this.#asks && (this.method === 'CONNECT' || PROTOCOLS.test(this.headers.upgrade ?? ''));
  }

  set upgrade(asks: boolean | null) {
    if (#asks in this) this.#asks = asks === true; // node's constructor sets it too, before the field exists
  }
}
