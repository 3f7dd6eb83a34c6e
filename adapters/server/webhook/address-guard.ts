import { type LookupAddress, lookup as resolveName } from 'node:dns';
import type { RequestOptions } from 'node:https';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import { isProxyable } from '#lib/server/channel/address-rules.ts';
import type { Address } from '#lib/server/webhook/service-resolver.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';

/** Checks the addresses of calls whose URLs users configure. */
export class AddressGuard {
  readonly #allowLinkLocal: boolean;

  constructor({ allowLinkLocal = false }: { readonly allowLinkLocal?: boolean } = {}) {
    this.#allowLinkLocal = allowLinkLocal;
  }

  /** Throws TransportError for a forbidden address. `lookup` checks names. A pod's address must be one that pods may have. */
  check({ host, port, via }: Address): void {
    const place = `${host}:${port}`;
    if (isAddr(host) && !this.#allows(host)) throw new TransportError(refusedText(place));
    if (via !== undefined && !isProxyable(host))
      throw new TransportError(`dial tcp ${place}: this is no address of a pod`);
  }

  /** Checks the address when it is used, so that a name cannot resolve to another address in between. */
  readonly lookup: NonNullable<RequestOptions['lookup']> = (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, []);
      const allowed = found.filter(({ address }) => this.#allows(address));
      const [first] = allowed;
      if (first === undefined) return done(new TransportError(refusedText(name)), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };

  #allows(address: string): boolean {
    return this.#allowLinkLocal || !isForbidden(address);
  }
}

const refusedText = (place: string): string =>
  `dial tcp ${place}: link-local and metadata addresses are not called; give the webhook another address`;
