import type { RecordFiles } from '../pullmanager/file-pull-records.ts';

/** In-memory files, by directory and name. */
export class MemoryFiles implements RecordFiles {
  readonly held = new Map<string, string>();
  /** Called for each write. Tests replace it, and throw to make a write fail. */
  onWrite: (path: string) => void = () => undefined;

  async list(folder: string): Promise<string[]> {
    return [...this.held.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  }

  async read(folder: string, name: string): Promise<Uint8Array | undefined> {
    const text = this.held.get(`${folder}/${name}`);
    return text === undefined ? undefined : Buffer.from(text);
  }

  async write(folder: string, name: string, bytes: Uint8Array): Promise<void> {
    this.onWrite(`${folder}/${name}`);
    this.held.set(`${folder}/${name}`, Buffer.from(bytes).toString());
  }

  async remove(folder: string, name: string): Promise<void> {
    this.held.delete(`${folder}/${name}`);
  }
}
