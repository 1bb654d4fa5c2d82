/** Made by web/lesson_files_plugin.js. */
declare module 'virtual:lesson-files' {
  import type { KubernetesObject } from '../../../js/src/engine/types.js';

  export const FILES: Record<string, () => Promise<{ default: { items: KubernetesObject[] } }>>;
}
