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

/** Returns a list of these elements. The array must not change afterwards. */
export function listOf(elements: readonly Value[]): ListValue {
  return new ArrayList(elements);
}

/** Returns the elements of a list as a shared array, which callers must not change. */
export function elementsOf(list: ListValue): readonly Value[] {
  if (list instanceof ArrayList) return list.elements;
  return Array.from({ length: list.size }, (_, i) => list.get(i));
}
