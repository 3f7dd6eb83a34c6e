import { messageOfError } from '#lib/machinery/error-message.ts';
import type { MountRequest } from '#lib/node/volume/mount/mounter.ts';
import type { Run } from '../programs/command.ts';

/** The file system type that stands for a partition table. Such a device is never formatted. */
const PARTITIONED = 'unknown data, probably partitions';
/** blkid's exit status for a device without a file system, and fsck's for errors that it could not correct. */
const [UNFORMATTED, UNCORRECTED] = [2, 4];

/**
 * Formats a device without a file system, or checks the existing file system. Throws if the device should be read-only and has no file
 * system.
 */
export async function prepareDevice(run: Run, { source, target, fsType, options }: MountRequest): Promise<void> {
  const readOnly = options.includes('ro');
  const found = await deviceFormat(run, source);
  if (found !== '') return readOnly ? undefined : check(run, source);
  if (readOnly) throw new Error(`cannot mount unformatted disk ${source} as we are manipulating it in read-only mode`);
  const { failure, output } = await run(`mkfs.${fsType}`, [...formatFlags(fsType), source]);
  if (failure === undefined) return undefined;
  const shown = [...options, 'defaults'].join(',');
  throw new Error(
    `format of disk ${JSON.stringify(source)} failed: type:(${JSON.stringify(fsType)}) target:(${JSON.stringify(target)}) options:(${JSON.stringify(shown)}) errcode:(${failure}) output:(${output}) `,
  );
}

/** The options that format without a prompt. For ext file systems, they reserve no blocks for root. */
function formatFlags(fsType: string): string[] {
  if (fsType === 'ext4' || fsType === 'ext3') return ['-F', '-m0'];
  return fsType === 'xfs' ? ['-f'] : [];
}

/** The type of a device's file system. Empty if it has none. */
async function deviceFormat(run: Run, source: string): Promise<string> {
  const { failure, status, output } = await run('blkid', '-p -s TYPE -s PTTYPE -o export'.split(' ').concat(source));
  if (status === UNFORMATTED) return '';
  if (failure !== undefined) throw new Error(`failed to get disk format of disk ${source}: ${failure}`);
  const fields = new Map(
    output.split('\n').map((line): [string, string] => {
      const [name = '', value = ''] = line.split('=');
      return [name, value];
    }),
  );
  if ((fields.get('PTTYPE') ?? '') !== '') return PARTITIONED;
  return fields.get('TYPE') ?? '';
}

/** Repairs errors that fsck can repair without a prompt. On a host without fsck, the device is mounted unchecked. */
async function check(run: Run, source: string): Promise<void> {
  const { status, output } = await run('fsck', ['-a', source]);
  if (status === UNCORRECTED)
    throw new Error(`'fsck' found errors on device ${source} but could not correct them: ${output}`);
}

/** Grows a device's file system to the size of the device. Does nothing if the device has no file system. Throws if no tool can grow it. */
export async function resizeDevice(run: Run, device: string, mountPath: string): Promise<void> {
  const format = await deviceFormat(run, device).catch((error: unknown) => {
    const what = `ResizeFS.Resize - error checking format for device ${device}: ${messageOfError(error)}`;
    throw new Error(what, { cause: error });
  });
  if (format === '') return;
  const command = resizeCommand(format, device, mountPath);
  if (command === undefined)
    throw new Error(
      `ResizeFS.Resize - resize of format ${format} is not supported for device ${device} mounted at ${mountPath}`,
    );
  const { failure, output } = await run(command.name, command.args);
  if (failure === undefined) return;
  const [about = ''] = command.args.slice(-1);
  throw new Error(`resize of device ${about} failed: ${failure}. ${command.name} output: ${output}`);
}

function resizeCommand(
  format: string,
  device: string,
  mountPath: string,
): { readonly name: string; readonly args: readonly string[] } | undefined {
  if (format === 'ext3' || format === 'ext4') return { name: 'resize2fs', args: [device] };
  if (format === 'xfs') return { name: 'xfs_growfs', args: ['-d', mountPath] };
  return format === 'btrfs' ? { name: 'btrfs', args: ['filesystem', 'resize', 'max', mountPath] } : undefined;
}
