import type { CSIFiles } from '../host.ts';

/** In-memory data files by path. */
export class MemoryNotes implements CSIFiles {
  readonly texts = new Map<string, string>();

  async readText(path: string): Promise<string | undefined> {
    return this.texts.get(path);
  }
  async writeText(path: string, text: string): Promise<void> {
    this.texts.set(path, text);
  }
  async remove(path: string): Promise<void> {
    this.texts.delete(path);
  }
  async list(path: string): Promise<readonly string[]> {
    const below = [...this.texts.keys()].filter((at) => at.startsWith(`${path}/`));
    return [...new Set(below.map((at) => at.slice(path.length + 1).split('/')[0] ?? ''))];
  }
}
