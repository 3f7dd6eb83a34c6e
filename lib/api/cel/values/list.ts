import { ListValue, type Value } from './value.ts';

class ArrayList extends ListValue {
  readonly elements: readonly Value[];

  constructor(elements: readonly Value[]) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  get(index: number): Value {
    return this.elements[index] ?? null;
  }
}

/** A list of these elements; the array must not change afterwards. */
export function listOf(elements: readonly Value[]): ListValue {
  return new ArrayList(elements);
}

/** The elements of a list as an array: a shared one, which callers do not change. */
export function elementsOf(list: ListValue): readonly Value[] {
  if (list instanceof ArrayList) return list.elements;
  return Array.from({ length: list.size }, (_, i) => list.get(i));
}
