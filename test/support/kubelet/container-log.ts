import { EventEmitter, once } from 'node:events';

interface Line {
  readonly time: Date;
  readonly text: string;
}

/** The log of a container, and that of an earlier container with the same name. */
export class ContainerLog {
  readonly #lines: Line[] = [];
  readonly #changes = new EventEmitter();
  #rest = '';
  #isOver = false;
  #previous: ContainerLog | undefined;

  /** Adds a line. */
  add(text: string, time = new Date()): this {
    this.#lines.push({ time, text });
    this.#changes.emit('change');
    return this;
  }

  /** Adds output, of which only complete lines enter the log. */
  take(output: string): void {
    const parts = (this.#rest + output).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.add(part);
  }

  /** Ends the log. */
  end(): void {
    if (this.#rest !== '') this.take('\n');
    this.#isOver = true;
    this.#changes.emit('change');
  }

  /** The log of the previous container. */
  previously(): ContainerLog {
    this.#previous ??= new ContainerLog();
    return this.#previous;
  }

  /** The kubelet's response to a `containerLogs` query; undefined if there was no previous container. */
  read(query: URLSearchParams): AsyncIterable<string> | undefined {
    if (query.get('previous') === 'true') return this.#previous?.read(without(query, 'previous'));
    const seconds = query.get('sinceSeconds');
    const since =
      seconds === null ? new Date(query.get('sinceTime') ?? 0) : new Date(Date.now() - Number(seconds) * 1000);
    const tail = query.get('tailLines');
    const recent = this.#lines.filter(({ time }) => time >= since).length;
    const shown = Math.min(recent, tail === null ? Infinity : Number(tail));
    return limited(this.#from(this.#lines.length - shown, query), Number(query.get('limitBytes') ?? Infinity));
  }

  async *#from(first: number, query: URLSearchParams): AsyncGenerator<string> {
    const timed = query.get('timestamps') === 'true';
    for (let next = first; ; ) {
      const line = this.#lines[next];
      if (line !== undefined) {
        next++;
        yield `${timed ? `${line.time.toISOString()} ` : ''}${line.text}\n`;
      } else if (this.#isOver || query.get('follow') !== 'true') return;
      else await once(this.#changes, 'change');
    }
  }
}

async function* limited(texts: AsyncIterable<string>, bytes: number): AsyncGenerator<string> {
  let left = bytes;
  for await (const text of texts) {
    if (left <= 0) return;
    yield text.slice(0, left);
    left -= text.length;
  }
}

function without(query: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete(name);
  return rest;
}
