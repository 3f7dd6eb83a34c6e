import { Fault } from '#lib/machinery/fault.ts';
import { type Addr, sameAddr } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from '#lib/machinery/net/scope.ts';
import { declare, type FunctionDeclaration, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, intType, opaqueType, stringType, type Type, typeOfType } from '../types/type.ts';
import { error, Opaque, type Result, type Value } from '../values/value.ts';
import { parseIP } from './parse-net.ts';

/** The type of IP addresses. */
export const ipType: Type = opaqueType('net.IP');

/** An IP address as a value. */
export class IpValue extends Opaque {
  readonly type = ipType;
  readonly addr: Addr;

  constructor(addr: Addr) {
    super();
    this.addr = addr;
  }

  equalTo(other: Value): boolean {
    return other instanceof IpValue && sameAddr(this.addr, other.addr);
  }

  override costSize(): number {
    return this.addr.family === 4 ? 4 : 16;
  }
}

/** `ip(text)`. Returns an error for a text that is not an address, or has a zone. */
export function stringToIp(text: string): Result {
  const addr = parseIP(text);
  return addr instanceof Fault ? error(addr.message) : new IpValue(addr);
}

function isCanonical(text: string): Result {
  const addr = parseIP(text);
  return addr instanceof Fault ? error(addr.message) : addrText(addr) === text;
}

function asks(name: string, id: string, test: (addr: Addr) => boolean): FunctionDeclaration {
  return declare(
    name,
    member(id, [ipType], boolType, ({ addr }: IpValue) => test(addr)),
  );
}

/** Kubernetes' IP address library. */
export const ip: Library = {
  name: 'kubernetes.net.ip',
  constants: [{ name: 'net.IP', type: typeOfType(ipType), value: ipType }],
  functions: [
    declare('ip', global('string_to_ip', [stringType], ipType, stringToIp)),
    declare(
      'family',
      member('ip_family', [ipType], intType, ({ addr }: IpValue) => BigInt(addr.family)),
    ),
    declare('ip.isCanonical', global('ip_is_canonical', [stringType], boolType, isCanonical)),
    asks('isUnspecified', 'ip_is_unspecified', isUnspecified),
    asks('isLoopback', 'ip_is_loopback', isLoopback),
    asks('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    asks('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    asks('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    declare(
      'isIP',
      global('is_ip', [stringType], boolType, (text: string) => !(parseIP(text) instanceof Fault)),
    ),
    declare(
      'string',
      global('ip_to_string', [ipType], stringType, ({ addr }: IpValue) => addrText(addr)),
    ),
  ],
};
