import type { DeviceConstraint } from '#lib/api/types/resource.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { Device } from './slice.ts';

/** A condition on all devices of a claim together. Adding more devices never fixes a failed constraint. */
export interface Constraint {
  /** Adds a device; returns false if it does not fit. */
  add(names: RequestNames, device: Device): boolean;
  /** Undoes the last successful `add` of the same device. */
  remove(names: RequestNames, device: Device): void;
}

/** The name of a request, and of its chosen alternative if any. */
export interface RequestNames {
  readonly request: string;
  readonly chosen?: string;
}

/** Creates a claim's constraint; undefined for an unknown type. */
export function constraintOf({
  requests,
  matchAttribute,
  distinctAttribute,
}: DeviceConstraint): Constraint | undefined {
  const named = new Set(requests);
  if (matchAttribute !== undefined) return new MatchAttribute(named, matchAttribute);
  return distinctAttribute === undefined ? undefined : new DistinctAttribute(named, distinctAttribute);
}

abstract class OfAttribute implements Constraint {
  readonly #requests: ReadonlySet<string>;
  readonly #attribute: string;
  /** The values of the added devices. */
  protected readonly values: string[] = [];

  constructor(requests: ReadonlySet<string>, attribute: string) {
    this.#requests = requests;
    this.#attribute = attribute;
  }

  protected abstract fits(value: string): boolean;

  add(names: RequestNames, device: Device): boolean {
    if (!this.#concerns(names)) return true;
    const value = attributeOf(device, this.#attribute);
    if (value === undefined || !this.fits(value)) return false;
    this.values.push(value);
    return true;
  }

  remove(names: RequestNames): void {
    if (this.#concerns(names)) this.values.pop();
  }

  #concerns({ request, chosen }: RequestNames): boolean {
    if (this.#requests.size === 0 || this.#requests.has(request)) return true;
    return chosen !== undefined && this.#requests.has(`${request}/${chosen}`);
  }
}

/** All devices have the same value. */
class MatchAttribute extends OfAttribute {
  protected fits(value: string): boolean {
    return this.values.every((one) => one === value);
  }
}

/** All devices have different values. */
class DistinctAttribute extends OfAttribute {
  protected fits(value: string): boolean {
    return !this.values.includes(value);
  }
}

/** An attribute with its type, as text. Names in the driver's own domain may omit the domain. */
function attributeOf({ object, driver }: Device, name: string): string | undefined {
  const { attributes } = object;
  const short = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const [value] = Object.entries(ownField(attributes, name) ?? ownField(attributes, short) ?? {});
  return value === undefined ? undefined : `${value[0]} ${String(value[1])}`;
}
