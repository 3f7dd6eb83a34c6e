import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text, texts } from '#lib/machinery/unstructured.ts';
import type { Device } from './slice.ts';

/** What holds over several devices of a claim. Once it does not, more devices do not help. */
export interface Constraint {
  /** Takes a device in, unless it does not fit. */
  add(names: RequestNames, device: Device): boolean;
  /** Undoes the last `add` of the same that succeeded. */
  remove(names: RequestNames, device: Device): void;
}

/** A request, and where it has alternatives the chosen one. */
export interface RequestNames {
  readonly request: string;
  readonly chosen?: string;
}

/** Undefined for a kind that is not known. */
export function constraintOf(constraint: JsonObject): Constraint | undefined {
  const requests = new Set(texts(constraint, 'requests'));
  if (has(constraint, 'matchAttribute')) return new MatchAttribute(requests, text(constraint, 'matchAttribute'));
  if (has(constraint, 'distinctAttribute'))
    return new DistinctAttribute(requests, text(constraint, 'distinctAttribute'));
  return undefined;
}

abstract class OfAttribute implements Constraint {
  readonly #requests: ReadonlySet<string>;
  readonly #attribute: string;
  /** Values of the devices that were taken in. */
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

/** All have the same value. */
class MatchAttribute extends OfAttribute {
  protected fits(value: string): boolean {
    return this.values.every((one) => one === value);
  }
}

/** All have different values. */
class DistinctAttribute extends OfAttribute {
  protected fits(value: string): boolean {
    return !this.values.includes(value);
  }
}

/** An attribute with its type, as a text; of the driver's own the domain may be left out. */
function attributeOf({ object, driver }: Device, name: string): string | undefined {
  const attributes = objectAt(object, 'attributes');
  const short = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const attribute = objectAt(attributes, name) ?? objectAt(attributes, short);
  const [field] = Object.keys(attribute ?? {});
  return attribute === undefined || field === undefined ? undefined : `${field} ${String(attribute[field])}`;
}
