import { quote } from '#lib/machinery/go.ts';

/** Maximum CPU number. No kernel supports that many CPUs. */
const MAX_CPU = 65_535;

/** An immutable set of CPU numbers (upstream: k8s.io/utils/cpuset). */
export class CPUSet {
  readonly #cpus: ReadonlySet<number>;

  constructor(cpus: Iterable<number> = []) {
    this.#cpus = new Set(cpus);
  }

  get size(): number {
    return this.#cpus.size;
  }

  get isEmpty(): boolean {
    return this.#cpus.size === 0;
  }

  has(cpu: number): boolean {
    return this.#cpus.has(cpu);
  }

  /** The CPU numbers in ascending order. */
  list(): number[] {
    return [...this.#cpus].sort((a, b) => a - b);
  }

  equals(other: CPUSet): boolean {
    return this.size === other.size && this.difference(other).isEmpty;
  }

  union(...others: readonly CPUSet[]): CPUSet {
    return new CPUSet([this, ...others].flatMap((set) => [...set.#cpus]));
  }

  intersection(other: CPUSet): CPUSet {
    return new CPUSet([...this.#cpus].filter((cpu) => other.has(cpu)));
  }

  difference(other: CPUSet): CPUSet {
    return new CPUSet([...this.#cpus].filter((cpu) => !other.has(cpu)));
  }

  /** The list in Linux's notation: `0-3,8`. */
  toString(): string {
    const ranges: { readonly start: number; end: number }[] = [];
    for (const cpu of this.list()) {
      const last = ranges.at(-1);
      if (last?.end === cpu - 1) last.end = cpu;
      else ranges.push({ start: cpu, end: cpu });
    }
    return ranges.map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`)).join(',');
  }
}

/** Parses a list such as `0-3,8`. Throws Error with Go's text if it is invalid. */
export function parseCPUSet(text: string): CPUSet {
  if (text === '') return new CPUSet();
  return new CPUSet(text.split(',').flatMap(range));
}

function range(text: string): number[] {
  const dash = text.indexOf('-');
  if (dash < 0) return [number(text)];
  const [start, end] = [number(text.slice(0, dash)), number(text.slice(dash + 1))];
  if (start > end) throw new Error(`invalid range ${quote(text)} (${start} > ${end})`);
  return Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

function number(text: string): number {
  if (!/^\+?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  if (Number(text) > MAX_CPU) throw new Error(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
  return Number(text);
}
