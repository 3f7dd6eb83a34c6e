import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { DRIVER } from '../csi/driver.ts';
import { logs } from '../logs.ts';
import type { TestHost } from '../test-host.ts';
import type { TestNode } from '../test-node.ts';

const PROGRAM = join(import.meta.dirname, 'driver.ts');
const FINALIZER = 'external-attacher/folders-csi-example-com';
const SERVE = 'mkdir -p /run/csi-volumes && mount --bind "$1" /run/csi-volumes && exec "$2" "$3"';

/** The relevant fields of a VolumeAttachment. */
interface Attachment {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string; readonly finalizers?: string[] };
  readonly spec: { readonly nodeName: string; readonly source: { readonly persistentVolumeName: string } };
  readonly status?: { readonly attached: boolean };
}

/** Storage that hosts share: the folder driver on each, and its attacher, which attaches a volume to one node at a time. */
export class SharedStorage implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'davit-storage-'));
  readonly #node: TestNode;
  readonly #drivers: RunningProgram[] = [];
  readonly #end = new AbortController();
  /** The attachments that the attacher has created, in order: volume and node. */
  readonly attached: string[] = [];
  #attacher: Promise<void> = Promise.resolve();

  constructor(node: TestNode) {
    this.#node = node;
  }

  /** Runs the driver on these hosts, and creates one volume. */
  async start(hosts: readonly TestHost[]): Promise<void> {
    await this.#node.apply(
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: DRIVER },
        spec: { attachRequired: true, podInfoOnMount: false },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'shared' },
        spec: {
          capacity: { storage: '1Mi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          csi: { driver: DRIVER, volumeHandle: 'shared' },
        },
      },
    );
    for (const { place, name } of hosts) {
      const args = ['-c', SERVE, 'sh', this.#folder, process.execPath, PROGRAM];
      const driver = new RunningProgram(...place.command('sh', args));
      this.#drivers.push(driver);
      logs.set(`the CSI driver of ${name}`, () => driver.stderr);
      await driver.says(/ready/);
    }
    this.#attacher = this.#attach();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#attacher;
    for (const driver of this.#drivers) await driver[Symbol.asyncDispose]();
  }

  async #attach(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const { stdout } = await this.#node.kubectl('get', 'volumeattachments', '-o', 'json');
      const { items = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as { readonly items?: readonly Attachment[] };
      for (const one of items) await this.#settle(one, items);
    }
  }

  /** Attaches a volume that is on no other node, and detaches one whose attachment is being deleted. */
  async #settle({ metadata, spec, status }: Attachment, all: readonly Attachment[]): Promise<void> {
    const patch = (change: object, ...more: string[]) =>
      this.#node.kubectl(
        'patch',
        'volumeattachment',
        metadata.name,
        '--type=merge',
        '-p',
        JSON.stringify(change),
        ...more,
      );
    if (metadata.deletionTimestamp !== undefined) {
      if (metadata.finalizers !== undefined) await patch({ metadata: { finalizers: null } });
      return;
    }
    const volume = spec.source.persistentVolumeName;
    const holders = all.filter((other) => other.spec.source.persistentVolumeName === volume);
    if (status?.attached === true || holders.some((other) => other.status?.attached === true)) return;
    await patch({ metadata: { finalizers: [FINALIZER] } });
    await patch({ status: { attached: true } }, '--subresource=status');
    this.attached.push(`${volume} ${spec.nodeName}`);
  }
}
