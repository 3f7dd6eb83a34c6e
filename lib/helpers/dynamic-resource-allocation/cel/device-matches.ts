import { QuantityValue } from '#lib/api/cel/library/quantity.ts';
import { parseSemver } from '#lib/api/cel/library/semver.ts';
import { SemverValue } from '#lib/api/cel/library/semvers.ts';
import { activationOf } from '#lib/api/cel/program.ts';
import { mapOf } from '#lib/api/cel/values/map.ts';
import { CelError, MapValue, type Value } from '#lib/api/cel/values/value.ts';
import type { Device, DeviceAttribute } from '#lib/api/types/resource.v1.ts';
import { Fault } from '#lib/machinery/fault.ts';
import { Recent } from '#lib/machinery/recent.ts';
import { parseQuantity } from '#lib/machinery/resource/quantity.ts';
import { compileSelector, MAX_COST, type Selector } from './compile.ts';

/** Whether a selector matches a device, or its evaluation error. */
export type Verdict = boolean | { readonly error: string };

/** A cache of compiled selectors, limited to 100,000 characters in total. */
const compiled = new Recent<string, Selector>(100_000);

/** Upstream's DeviceMatches. `device` comes from one of the driver's slices. */
export function deviceMatches(expression: string, driver: string, device: Device): Verdict {
  const selector = compiled.get(expression, expression.length, () => compileSelector(expression));
  if ('error' in selector) return { error: `CEL compile error: ${selector.error}` };
  const value = deviceValue(driver, device);
  if (value instanceof CelError) return { error: `CEL runtime error: ${value.message}` };
  const { value: result } = selector.program.evaluate(activationOf({ device: value }), MAX_COST);
  if (result instanceof CelError) return { error: `CEL runtime error: ${result.message}` };
  return typeof result === 'boolean'
    ? result
    : { error: `CEL runtime error: CEL result of type ${typeof result} could not be converted to bool` };
}

function deviceValue(driver: string, device: Device): Value | CelError {
  const attributes = byDomain(driver, device.attributes, attributeValue);
  const capacity = byDomain(driver, device.capacity, ({ value }) => quantityOf(value));
  if (attributes instanceof CelError) return attributes;
  if (capacity instanceof CelError) return capacity;
  return mapOf([
    ['driver', driver],
    ['allowMultipleAllocations', device.allowMultipleAllocations ?? false],
    ['attributes', attributes],
    ['capacity', capacity],
  ]);
}

const quantityOf = (value: string): Value => new QuantityValue(parseQuantity(value), false);

/** The value of the attribute's only field. */
function attributeValue({ string, bool, int, version }: DeviceAttribute): Value | CelError {
  if (string !== undefined) return string;
  if (bool !== undefined) return bool;
  if (int !== undefined) return BigInt(int);
  return version === undefined ? new CelError('unsupported attribute value') : versionOf(version);
}

function versionOf(value: string): Value | CelError {
  const version = parseSemver(value);
  return version instanceof Fault
    ? new CelError(`parse semantic version: ${version.message}`)
    : new SemverValue(version);
}

/** Groups values by domain and name. Names without a domain belong to the driver's domain. */
function byDomain<T>(
  driver: string,
  named: Readonly<Record<string, T>> = {},
  read: (value: T) => Value | CelError,
): MapValue | CelError {
  const domains = new Map<string, [Value, Value][]>();
  for (const [name, one] of Object.entries(named)) {
    const value = read(one);
    if (value instanceof CelError) return new CelError(`attribute ${name}: ${value.message}`);
    const slash = name.indexOf('/');
    const [domain, id] = slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
    domains.set(domain, [...(domains.get(domain) ?? []), [id, value]]);
  }
  return new Domains(mapOf([...domains].map(([domain, entries]): [Value, Value] => [domain, mapOf(entries)])));
}

const EMPTY = mapOf([]);

/** A map of domains. Reading an unknown domain returns an empty map, not an error. */
class Domains extends MapValue {
  readonly #known: MapValue;

  constructor(known: MapValue) {
    super();
    this.#known = known;
  }

  get size(): number {
    return this.#known.size;
  }

  get(key: Value): Value {
    return this.#known.get(key) ?? EMPTY;
  }

  override contains(key: Value): boolean {
    return this.#known.get(key) !== undefined;
  }

  keys(): Iterable<Value> {
    return this.#known.keys();
  }
}
