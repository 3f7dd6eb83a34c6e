import type { Command } from 'commander';
import type { ManifestFlags } from '../run/manifests.ts';
import { dnsLabel } from './dns-label.ts';

/** Adds `manifests`, which prints the objects that a cluster needs to run reconcilers. */
export function manifestsCommand(command: Command): void {
  command
    .command('manifests')
    .description('print the service account, roles and Deployment of reconcilers for any cluster')
    .argument('<path>', 'a file of reconcilers, or a folder of such files')
    .option('--image <name>', 'the image of a Deployment that runs `davit run`; without it no Deployment is printed')
    .option('--name <name>', 'the name of all objects; default: that of the first reconciler', dnsLabel)
    .option('--namespace <name>', 'the namespace of all objects', dnsLabel, 'davit-functions')
    .action(async (path: string, flags: ManifestFlags) => {
      const { manifestsAt } = await import('#local/run/manifests.ts');
      process.stdout.write(await manifestsAt(path, flags));
    });
}
