import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An image with one layer that contains busybox. */
export interface TestImage {
  /** `localhost/busybox:1`. */
  readonly name: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** Additional programs of this machine in the image, by their paths without the leading slash. */
  readonly files?: Readonly<Record<string, string>>;
  /** The signal that ends its containers. */
  readonly stopSignal?: string;
}

/** The image that tests run. */
export const BUSYBOX: TestImage = { name: 'localhost/busybox:1', command: ['sh'] };
/** The image of sandboxes, which sleeps until it receives SIGTERM. */
export const PAUSE: TestImage = {
  name: 'localhost/pause:1',
  entrypoint: ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait; done'],
};

const FILES = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/:/bin/sh\n',
  group: 'root:x:0:\nuser:x:1000:\n',
};

/** Writes an image as the archive that `ctr images import` reads. Returns its path. */
export function imageArchive(image: TestImage): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-image-'));
  const layer = layerOf(image, join(folder, 'files'), join(folder, 'layer.tar'));
  const config = configOf(image, readFileSync(layer));
  const configName = `${digest(config)}.json`;
  writeFileSync(join(folder, configName), config);
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify([{ Config: configName, RepoTags: [image.name], Layers: ['layer.tar'] }]),
  );
  const archive = join(folder, 'image.tar');
  execFileSync('tar', ['-C', folder, '-cf', archive, configName, 'layer.tar', 'manifest.json']);
  return archive;
}

/** Returns the configuration of an image with this layer, in the registry's format. */
export const configOf = ({ entrypoint, command, stopSignal }: TestImage, layer: Uint8Array): string =>
  JSON.stringify({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: {
      Env: ['PATH=/bin:/sbin:/usr/bin:/usr/sbin'],
      Entrypoint: entrypoint ?? null,
      Cmd: command ?? null,
      StopSignal: stopSignal ?? '',
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest(layer)}`] },
  });

/** The SHA-256 digest in hexadecimal digits. */
export const digest = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes the layer of an image. Returns its path. */
export function layerOf({ files: programs = {} }: TestImage, files: string, layer: string): string {
  for (const name of ['bin', 'etc', 'tmp', 'root', 'proc', 'sys', 'dev'])
    mkdirSync(join(files, name), { recursive: true });
  copyFileSync('/bin/busybox', join(files, 'bin/busybox'));
  const applets = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const applet of applets.filter((one) => one !== 'busybox')) symlinkSync('busybox', join(files, 'bin', applet));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(files, 'etc', name), text);
  for (const [path, source] of Object.entries(programs)) copyFileSync(source, join(files, path));
  execFileSync('tar', ['-C', files, '--owner=0', '--group=0', '-cf', layer, '.']);
  return layer;
}
