// Whether the visitor uses keys: the page's root has the class `by-keys` from a key on until a pointer is used. A browser alone would show the frame of
// whatever a script gives the focus to, before anything was pressed.

export function watchKeys() {
  const { classList } = document.documentElement;
  window.addEventListener(
    'keydown',
    ({ ctrlKey, metaKey, altKey }) => {
      if (!ctrlKey && !metaKey && !altKey) classList.add('by-keys');
    },
    true,
  );
  window.addEventListener('pointerdown', () => classList.remove('by-keys'), true);
}
