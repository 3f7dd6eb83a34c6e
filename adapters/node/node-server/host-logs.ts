import { constants, type FileHandle, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { type NodeAnswer, textAnswer } from '#lib/node/kubelet/server/node-request.ts';

const CHUNK = 64 * 1024;
/** Maximum number of names in a folder that are listed. */
const MAX_NAMES = 10_000;

/**
 * Returns a file below a folder, or the names in a subfolder, in the format of Go's file server. Links that lead outside the folder are not
 * followed.
 */
export async function hostLog(root: string, path: string): Promise<NodeAnswer> {
  const wanted = join(root, normalize(`/${path}`));
  let handle: FileHandle | undefined;
  try {
    handle = await open(wanted, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const folder = await realpath(root);
    const place = await readlink(`/proc/self/fd/${handle.fd}`);
    const about = await handle.stat();
    if (place !== folder && !place.startsWith(folder + sep)) return notFound();
    if (about.isDirectory()) return await listing(`/proc/self/fd/${handle.fd}/.`);
    if (!about.isFile()) return notFound();
    const body = bytesOf(handle, about.size);
    handle = undefined;
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
  } catch {
    return notFound();
  } finally {
    await handle?.close();
  }
}

const notFound = (): NodeAnswer => textAnswer(404, '404 page not found\n');

async function listing(folder: string): Promise<NodeAnswer> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const lines = names.slice(0, MAX_NAMES).map((name) => `<a href="${encodeURI(name)}">${escaped(name)}</a>\n`);
  const body = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('')}</pre>\n`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');

/** Yields the content of the file up to `size`, even if the file has grown since. */
async function* bytesOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK), 0, Math.min(CHUNK, size - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
