import { Fault } from '#lib/machinery/fault.ts';
import { contains, containsPrefix, masked, type Prefix, prefixText, samePrefix } from '#lib/machinery/net/prefix.ts';
import { declare, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, intType, opaqueType, stringType, type Type, typeOfType } from '../types/type.ts';
import { noSuchOverload } from '../values/compare.ts';
import { CelError, error, Opaque, type Result, type Value } from '../values/value.ts';
import { IpValue, ipType, stringToIp } from './ip.ts';
import { parseCIDR } from './parse-net.ts';

/** The type of CIDR blocks. */
export const cidrType: Type = opaqueType('net.CIDR');

/** A CIDR block as a value. */
export class CidrValue extends Opaque {
  readonly type = cidrType;
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  equalTo(other: Value): boolean {
    return other instanceof CidrValue && samePrefix(this.prefix, other.prefix);
  }

  override costSize(): number {
    return Math.ceil(this.prefix.length / 8);
  }
}

function stringToCidr(text: string): CidrValue | CelError {
  const prefix = parseCIDR(text);
  if (!(prefix instanceof Fault)) return new CidrValue(prefix);
  return error(`network address parse error during conversion from string: ${prefix.message}`);
}

/** Returns the no-such-overload error for a text that is not an address, like upstream. */
function containsIp({ prefix }: CidrValue, other: Result): Result {
  return other instanceof IpValue ? contains(prefix, other.addr) : noSuchOverload;
}

function containsCidr({ prefix }: CidrValue, other: CidrValue | CelError): Result {
  return other instanceof CelError ? other : containsPrefix(prefix, other.prefix);
}

/** Kubernetes' CIDR library. */
export const cidr: Library = {
  name: 'kubernetes.net.cidr',
  constants: [{ name: 'net.CIDR', type: typeOfType(cidrType), value: cidrType }],
  functions: [
    declare('cidr', global('string_to_cidr', [stringType], cidrType, stringToCidr)),
    declare(
      'containsIP',
      member('cidr_contains_ip_string', [cidrType, stringType], boolType, (target: CidrValue, text: string) =>
        containsIp(target, stringToIp(text)),
      ),
      member('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr_string', [cidrType, stringType], boolType, (target: CidrValue, text: string) =>
        containsCidr(target, stringToCidr(text)),
      ),
      member('cidr_contains_cidr', [cidrType, cidrType], boolType, (target: CidrValue, other: CidrValue) =>
        containsCidr(target, other),
      ),
    ),
    declare(
      'ip',
      member('cidr_ip', [cidrType], ipType, ({ prefix }: CidrValue) => new IpValue(prefix.addr)),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [cidrType], intType, ({ prefix }: CidrValue) => BigInt(prefix.length)),
    ),
    declare(
      'masked',
      member('cidr_masked', [cidrType], cidrType, ({ prefix }: CidrValue) => new CidrValue(masked(prefix))),
    ),
    declare(
      'isCIDR',
      global('is_cidr', [stringType], boolType, (text: string) => !(parseCIDR(text) instanceof Fault)),
    ),
    declare(
      'string',
      global('cidr_to_string', [cidrType], stringType, ({ prefix }: CidrValue) => prefixText(prefix)),
    ),
  ],
};
