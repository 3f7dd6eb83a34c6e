import { messageOfError } from '#lib/machinery/error-message.ts';
import { type CDISpec, type ContainerEdits, decodeCDISpec } from './spec.ts';

/** A file that contains a spec. */
export interface CDIFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads the files of the spec directories. */
export interface CDISpecSource {
  /**
   * The files of each directory. Directories of higher priority come later, such as `/var/run/cdi` after `/etc/cdi`. A missing directory
   * has no files.
   */
  read(): Promise<readonly (readonly CDIFile[])[]>;
}

interface Found {
  readonly spec: CDISpec;
  readonly path: string;
  readonly edits: ContainerEdits;
  readonly folder: number;
}

/** The devices that specs describe, by qualified name: `vendor.com/class=name`. */
export class CDIRegistry {
  readonly #devices: ReadonlyMap<string, Found>;
  /** The reasons why files or devices were skipped. */
  readonly problems: readonly string[];

  private constructor(devices: ReadonlyMap<string, Found>, problems: readonly string[]) {
    this.#devices = devices;
    this.problems = problems;
  }

  /**
   * Reads all specs. Skips invalid files, and devices that two files of a directory define. A device in a later directory overrides earlier
   * ones.
   */
  static async load(source: CDISpecSource): Promise<CDIRegistry> {
    const devices = new Map<string, Found>();
    const conflicts = new Set<string>();
    const problems: string[] = [];
    for (const [folder, files] of (await source.read()).entries()) {
      for (const { path, bytes } of files) {
        try {
          const spec = decodeCDISpec(path, bytes);
          for (const { name, containerEdits: edits } of spec.devices) {
            const qualified = `${spec.kind}=${name}`;
            const known = devices.get(qualified);
            if (known?.folder === folder) {
              problems.push(`conflicting device ${qualified} (specs ${known.path}, ${path})`);
              conflicts.add(qualified);
            } else conflicts.delete(qualified);
            devices.set(qualified, { spec, path, edits, folder });
          }
        } catch (error) {
          problems.push(messageOfError(error));
        }
      }
    }
    for (const name of conflicts) devices.delete(name);
    return new CDIRegistry(devices, problems);
  }

  /**
   * The edits for devices in their order. The edits of a whole spec appear once, before its first device. Throws Error for unknown devices.
   */
  editsFor(names: readonly string[]): ContainerEdits[] {
    const unknown = names.filter((name) => !this.#devices.has(name));
    if (unknown.length > 0) throw new Error(`unresolvable CDI devices ${unknown.join(', ')}`);
    const found = [...new Set(names)].flatMap((name) => this.#devices.get(name) ?? []);
    const seen = new Set<CDISpec>();
    return found.flatMap(({ spec, edits }) => {
      const first = !seen.has(spec);
      seen.add(spec);
      return first ? [spec.containerEdits, edits] : [edits];
    });
  }
}
