import { parseSemver } from '#lib/cel/library/semver.ts';
import { SemverValue } from '#lib/cel/library/semvers.ts';
import { Fault } from '#lib/cel/library/fault.ts';
import { QuantityValue } from '#lib/cel/library/quantity.ts';
import { activationOf } from '#lib/cel/program.ts';
import { mapOf } from '#lib/cel/values/map.ts';
import { CelError, MapValue, type Value } from '#lib/cel/values/value.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { Recent } from '#lib/machinery/recent.ts';
import { parseQuantity } from '#lib/machinery/resource/quantity.ts';
import { flag, text } from '#lib/machinery/unstructured.ts';
import { compileSelector, MAX_COST, type Selector } from './compile.ts';

/** Whether a device is meant by a selector, or why that cannot be told. */
export type Verdict = boolean | { readonly error: string };

/** Selectors that were compiled, of so many characters in all. */
const compiled = new Recent<string, Selector>(100_000);

/** Upstream's DeviceMatches. `device` is one of a slice of the driver. */
export function deviceMatches(expression: string, driver: string, device: JsonObject): Verdict {
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

function deviceValue(driver: string, device: JsonObject): Value | CelError {
  const attributes = byDomain(driver, objectAt(device, 'attributes'), attributeValue);
  const capacity = byDomain(driver, objectAt(device, 'capacity'), (one) => quantityOf(text(one, 'value')));
  if (attributes instanceof CelError) return attributes;
  if (capacity instanceof CelError) return capacity;
  return mapOf([
    ['driver', driver],
    ['allowMultipleAllocations', flag(device, 'allowMultipleAllocations') ?? false],
    ['attributes', attributes],
    ['capacity', capacity],
  ]);
}

const quantityOf = (value: string): Value => new QuantityValue(parseQuantity(value), false);

/** Exactly one of its fields is set. */
function attributeValue(attribute: JsonObject): Value | CelError {
  for (const field of ['string', 'bool', 'int', 'version']) {
    const value = ownField(attribute, field);
    if (field === 'int' && (typeof value === 'number' || typeof value === 'bigint')) return BigInt(value);
    if (field === 'version' && typeof value === 'string') return versionOf(value);
    if (typeof value === 'string' || typeof value === 'boolean') return value;
  }
  return new CelError('unsupported attribute value');
}

function versionOf(value: string): Value | CelError {
  const version = parseSemver(value);
  return version instanceof Fault
    ? new CelError(`parse semantic version: ${version.message}`)
    : new SemverValue(version);
}

/** Names without a domain are of the driver's. */
function byDomain(
  driver: string,
  named: JsonObject | undefined,
  read: (value: JsonObject) => Value | CelError,
): MapValue | CelError {
  const domains = new Map<string, [Value, Value][]>();
  for (const name of Object.keys(named ?? {})) {
    const value = read(objectAt(named, name) ?? {});
    if (value instanceof CelError) return new CelError(`attribute ${name}: ${value.message}`);
    const slash = name.indexOf('/');
    const [domain, id] = slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
    domains.set(domain, [...(domains.get(domain) ?? []), [id, value]]);
  }
  return new Domains(mapOf([...domains].map(([domain, entries]): [Value, Value] => [domain, mapOf(entries)])));
}

const EMPTY = mapOf([]);

/** Of a domain that a device does not know it has nothing; it is not an error to ask. */
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
