// Français.

/** @type {{[key: string]: string}} */
export default {
  you: 'Vous',

  title_settle: 'Votre famille s’installe',
  first_settle: 'Vous menez la famille Rouge. Ses gens vivent dans trois huttes, six au plus dans chacune. Dans une hutte avec un homme, chaque femme a un enfant à chaque tour.',
  second_settle: 'Les anciens n’ont pas d’enfants. Glissez les gens d’une hutte à l’autre, ou touchez quelqu’un puis une hutte : au-dessus du bouton, vous lisez qui c’est.',
  task_settle: 'Installez tout le monde, de sorte que chacune de vos trois femmes partage une hutte avec un homme.',
  wrong_settle: 'C’est permis aussi, mais dans la hutte {hut} une femme vit sans homme : elle n’aurait pas d’enfant.',
  done_settle: 'Trois femmes qui vivent avec un homme : trois enfants naîtront. Un sortilège frappe toute une hutte ; il est donc bon d’en utiliser plusieurs.',

  title_choose: 'Choisir des sortilèges en secret',
  first_choose: 'À chaque tour, vous pouvez utiliser autant de sortilèges que votre totem a d’éléments, ici deux. Chacun de plus coûte un oiseau.',
  second_choose: 'Vous les mettez de côté face cachée. Tous voient combien, personne ne voit lesquels.',
  task_choose: 'Mettez de côté {T} et {L}.',
  wrong_choose: 'C’est permis aussi, mais cette fois choisissez {T} et {L}, les deux : ils sont gratuits.',
  wrong_choose_most: 'C’est permis aussi, mais le troisième sortilège coûterait votre seul oiseau. Tenez-vous-en à {T} et {L}.',
  done_choose: 'Vous non plus ne voyez pas ce que les autres ont choisi, seulement combien.',

  title_cast: 'Poser un sortilège',
  first_cast: 'À leur tour, les familles posent chacune un sortilège face cachée sur n’importe quelle hutte : sur les leurs pour s’aider, sur celles des autres pour nuire.',
  second_cast: 'Votre sortilège est {T} : chaque femme de la hutte a deux enfants au lieu d’un, si un homme y vit. L’autre est déjà sur la hutte 3 ; une petite image vous dit lequel c’est.',
  task_cast: 'Posez {T} sur celle de vos huttes où cela donne le plus d’enfants : choisissez le sortilège, puis la hutte.',
  wrong_cast: 'C’est permis aussi, mais la hutte n’est pas à vous : les enfants agrandiraient une autre famille.',
  wrong_cast_R1: 'C’est permis aussi, mais il n’y a pas d’homme dans la hutte 1 : personne n’y a d’enfant, avec {T} ou sans.',
  wrong_cast_R2: 'C’est permis aussi, mais une seule femme vit dans la hutte 2. Dans une autre, il y en a deux, et un homme.',
  done_cast: 'Les autres voient deux sortilèges rouges sur la hutte 3, mais pas lesquels. Et quelqu’un y en a posé un jaune !',

  title_reveal: 'Révéler à temps',
  first_reveal: 'Un sortilège n’agit que si sa famille le révèle, au début de sa phase : {T} aux naissances.',
  second_reveal: 'Qui a un sortilège face cachée est toujours interrogé ; la question ne dit donc rien. Ce qui reste caché ne fait rien à ce tour.',
  task_reveal: 'Les naissances arrivent. Choisissez {T} et révélez.',
  wrong_reveal: 'C’est permis aussi, mais face cachée {T} ne fait rien, et c’est sa seule phase du tour. Choisissez-le, puis révélez.',
  done_reveal: 'Deux femmes, quatre enfants ! Si {I} était révélé sur la même hutte, les deux s’annuleraient.',

  title_starve: 'Les oiseaux et la faim',
  first_starve: 'Après les naissances, garçons et hommes chassent : une famille prend un oiseau pour cinq d’entre eux, et un pour le reste. Puis un oiseau nourrit cinq personnes.',
  second_starve: 'Pour chaque oiseau qui manque, une personne s’en va, jamais un ancien. Une famille sans femme ou sans homme s’éteint ; les enfants ne comptent pas.',
  task_starve: 'Il manque deux oiseaux. Choisissez deux personnes qui s’en vont, de sorte que la famille survive.',
  wrong_starve: 'C’est permis aussi, mais il ne resterait aucune femme ou aucun homme, et la famille s’éteindrait. Choisissez d’autres personnes.',
  done_starve: 'Votre famille survit. Les femmes donnent des enfants, les chasseurs des oiseaux : il faut les deux.',

  title_elders: 'Garder un ancien',
  first_elders: 'À la fin du tour, tous vieillissent : les enfants deviennent jeunes, les jeunes mûrs, les gens mûrs anciens. Les anciens partent.',
  second_elders: 'Sans ancien, une famille perd un élément de son totem. Votre seul ancien va partir, et personne des vôtres n’est mûr. {L} est sur la hutte 1 : il garde les anciens de la hutte.',
  task_elders: 'Révélez {L}, pour que votre ancien reste.',
  wrong_elders: 'C’est permis aussi, mais l’ancien partirait, et un élément de votre totem avec lui.',
  done_elders: 'L’ancien est resté. Et votre famille est l’une des deux plus grandes : votre totem a maintenant quatre éléments.',

  title_write: 'Tous à la fois',
  first_write: 'À certaines tables, les sortilèges ne sont pas posés à tour de rôle. Tous écrivent les leurs à la fois, en secret ; quand le dernier a écrit, les sortilèges sont posés.',
  second_write: 'Votre totem a un élément et vous n’avez pas d’oiseau : vous pouvez écrire un sortilège. Vert est la plus grande famille. Avec {I}, aucun enfant ne naît dans la hutte.',
  task_write: 'Vous écrivez en dernier. Mettez {I} sur la hutte de Vert où naîtraient le plus d’enfants.',
  wrong_write: 'C’est permis aussi, mais vous n’utiliseriez aucun sortilège. Choisissez {I}, puis une hutte de Vert.',
  wrong_write_spell: 'C’est permis aussi, mais cette fois choisissez {I}.',
  wrong_write_hut: 'C’est permis aussi, mais ce n’est pas là que Vert a le plus d’enfants : cherchez beaucoup de femmes, et un homme.',
  done_write: 'Tous les sortilèges sont posés d’un coup. Tant que le dernier n’a pas écrit, vous pouvez reprendre ce que vous avez écrit.',

  title_win: 'Comment gagner',
  first_win: 'À la fin de chaque tour, les deux plus grandes familles ajoutent un élément à leur totem. Le premier totem de six éléments gagne.',
  second_win: 'Vous en avez cinq. Mais Bleu a {blue} personnes, Vert {green} et vous {red}. Votre {P} est sur la hutte 1 de Vert : la moitié de chaque sorte d’adultes de la hutte mourrait.',
  task_win: 'Devenez l’une des deux plus grandes familles : révélez {P}.',
  wrong_win: 'C’est permis aussi, mais alors Bleu et Vert sont les deux plus grandes, et votre totem ne grandit pas.',
  done_win: 'Vert est maintenant plus petit que vous. Votre totem a son sixième élément : vous avez gagné !',
};
