interface Placed<T> {
  readonly key: string;
  item: T;
}

/** A heap that also finds items by key: upstream's heap.Heap. Call `add` whenever the order of an item changes. */
export class Heap<T> {
  readonly #keyOf: (item: T) => string;
  readonly #less: (a: T, b: T) => boolean;
  readonly #heap: Placed<T>[] = [];
  readonly #places = new Map<string, number>();

  constructor(keyOf: (item: T) => string, less: (a: T, b: T) => boolean) {
    this.#keyOf = keyOf;
    this.#less = less;
  }

  get size(): number {
    return this.#heap.length;
  }

  get(key: string): T | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#heap[place]?.item;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Returns the items in no particular order. */
  *values(): Generator<T> {
    for (const { item } of this.#heap) yield item;
  }

  /** Adds the item, or replaces the item with the same key. */
  add(item: T): void {
    const key = this.#keyOf(item);
    const known = this.#places.get(key);
    const place = known ?? this.#heap.length;
    if (known === undefined) {
      this.#heap.push({ key, item });
      this.#places.set(key, place);
    } else this.#at(place).item = item;
    this.#settle(place);
  }

  peek(): T | undefined {
    return this.#heap[0]?.item;
  }

  pop(): T | undefined {
    const first = this.#heap[0];
    if (first === undefined) return undefined;
    this.delete(first.key);
    return first.item;
  }

  /** Returns whether the item existed. */
  delete(key: string): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    const last = this.#heap.length - 1;
    if (place !== last) this.#swap(place, last);
    this.#heap.pop();
    this.#places.delete(key);
    if (place !== last) this.#settle(place);
    return true;
  }

  #settle(place: number): void {
    this.#down(this.#up(place));
  }

  #up(from: number): number {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isLess(place, parent)) break;
      this.#swap(place, parent);
      place = parent;
    }
    return place;
  }

  #down(from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#heap.length) return;
      const right = left + 1;
      const child = right < this.#heap.length && this.#isLess(right, left) ? right : left;
      if (!this.#isLess(child, place)) return;
      this.#swap(place, child);
      place = child;
    }
  }

  #isLess(a: number, b: number): boolean {
    return this.#less(this.#at(a).item, this.#at(b).item);
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#at(a), this.#at(b)];
    this.#heap[a] = y;
    this.#heap[b] = x;
    this.#places.set(y.key, a);
    this.#places.set(x.key, b);
  }

  #at(place: number): Placed<T> {
    const placed = this.#heap[place];
    if (placed === undefined) throw new RangeError(`no item at ${place}`);
    return placed;
  }
}
