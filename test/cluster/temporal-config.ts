import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the configuration that the server's image has, into a folder of its own. The image fills its
 * template from the environment by a tool named dockerize before the server starts; the server's own
 * templates know the environment too, by other words. The values stay those of the environment.
 *
 * @returns the arguments that make the server read it
 */
export async function writeTemporalConfig(
  source: string,
  folder: string,
): Promise<readonly string[]> {
  const template = await readFile(join(source, 'docker', 'config_template.yaml'), 'utf8')
  const config = join(folder, 'config')
  await mkdir(config)
  await writeFile(join(config, 'docker.yaml'), `# enable-template\n${ownWords(template)}`)
  return ['--root', folder, '--config', 'config', '--env', 'docker', '--allow-no-auth']
}

function ownWords(template: string): string {
  return template
    .replaceAll(/default \.Env\.(\w+) ("[^"]*"|\$\w+)/g, 'default $2 (env "$1")')
    .replaceAll(/\.Env\.(\w+)/g, '(env "$1")')
}
