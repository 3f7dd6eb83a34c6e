import type { PodFiles } from '../kubelet-pods/pod-files.ts';

/** In-memory files. Only created directories exist, every path has mode 0755, and links are only those in `links`. */
export class MemoryPodFiles implements PodFiles {
  readonly files: Map<string, string>;
  readonly folders = new Map<string, number>();
  readonly modes = new Map<string, number>();
  readonly links: ReadonlySet<string>;

  constructor(files: Readonly<Record<string, string>> = {}, links: readonly string[] = []) {
    this.files = new Map(Object.entries(files));
    this.links = new Set(links);
  }

  async read(path: string): Promise<Uint8Array> {
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`open ${path}: no such file or directory`);
    return Buffer.from(text);
  }

  readBelow(folder: string, path: string): Promise<Uint8Array> {
    return this.read(`${folder}/${path}`);
  }

  async write(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    this.files.set(path, typeof content === 'string' ? content : Buffer.from(content).toString());
    this.modes.set(path, mode);
  }

  async makeFolder(path: string, mode: number): Promise<void> {
    this.folders.set(path, mode);
  }

  async exists(path: string): Promise<boolean> {
    return this.files.has(path) || this.folders.has(path);
  }

  async modeOf(): Promise<number> {
    return 0o755;
  }

  async isLink(path: string): Promise<boolean> {
    return this.links.has(path);
  }
}
